import { Anchor, Button, Group, SimpleGrid, Stack, Text, ThemeIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle, IconCamera, IconCheck, IconMinus, IconQuestionMark } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { Failure, Loading } from '../../components/states';
import { camerasQuery } from '../../lib/cameras';
import { useTimeFormat } from '../../lib/format';
import { statusQuery } from '../../lib/hub-facts';
import { Section } from './section';
import { adviceKey, isIdle, type Part, parts, type State, type Status } from './system-figures';

const looks = {
  ok: { color: 'moss', icon: IconCheck },
  error: { color: 'red', icon: IconAlertTriangle },
  unknown: { color: 'yellow', icon: IconQuestionMark },
  not_used: { color: 'gray', icon: IconMinus },
  not_configured: { color: 'gray', icon: IconMinus },
} as const;

interface TileProps {
  readonly look: (typeof looks)[State];
  readonly title: ReactNode;
  readonly state: string;
  readonly isIdle: boolean;
  readonly advice: string | undefined;
}

function Tile({ look: { color, icon: Icon }, title, state, isIdle, advice }: TileProps) {
  return (
    <Group wrap="nowrap" align="flex-start" gap="sm">
      <ThemeIcon color={color} variant="light" radius="xl" size="lg">
        <Icon size={18} aria-hidden />
      </ThemeIcon>
      <Stack gap={2} miw={0}>
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Text>
        <Text size="sm" c={isIdle ? 'dimmed' : 'var(--mantine-color-text)'}>
          {state}
        </Text>
        {advice && <Text size="sm">{advice}</Text>}
      </Stack>
    </Group>
  );
}

function PartState({ part, state }: { readonly part: Part; readonly state: State }) {
  const { t } = useTranslation('system');
  const advice = adviceKey(part, state);
  return (
    <Tile
      look={looks[state]}
      title={t(`part.${part}`)}
      state={t(`state.${state}`)}
      isIdle={isIdle(state)}
      advice={advice && t(advice)}
    />
  );
}

/** Colour and icon of each state of a source. */
const sourceLooks = {
  connecting: looks.unknown,
  live: looks.ok,
  behind: looks.ok,
  silent: looks.unknown,
  error: looks.error,
  paused: looks.not_used,
} as const;

/** State of a source; links to its page. */
function SourceState({ source: { name, state } }: { readonly source: Status['sources'][number] }) {
  const { t } = useTranslation('system');
  return (
    <Tile
      look={sourceLooks[state]}
      title={
        <Anchor inherit renderRoot={(props) => <Link to="/sources" {...props} />}>
          {name}
        </Anchor>
      }
      state={t(`source.${state}`)}
      isIdle={state === 'paused'}
      advice={state === 'error' || state === 'silent' ? t(`advice.source_${state}`) : undefined}
    />
  );
}

function RestartProcessor({ isPending }: { readonly isPending: boolean }) {
  const { t } = useTranslation('system');
  const client = useQueryClient();
  const [isAsking, { open, close }] = useDisclosure();
  const restart = useMutation({
    mutationFn: () => unwrap(hub.POST('/api/ui/restart-processor')),
    onSuccess: async () => {
      close();
      await client.invalidateQueries({ queryKey: ['status'] });
    },
  });
  return (
    <>
      <Button
        variant="light"
        // Not `disabled`, which would take the focus away.
        aria-disabled={isPending}
        data-disabled={isPending}
        onClick={() => {
          if (isPending) return;
          restart.reset();
          open();
        }}
      >
        {t(isPending ? 'restart_pending' : 'restart')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('restart')}
        label={t('restart')}
        isPending={restart.isPending}
        error={restart.error}
        onConfirm={() => restart.mutate()}
        onClose={close}
      >
        <Text size="sm">{t('restart_hint')}</Text>
      </ConfirmDialog>
    </>
  );
}

/** State of every part of the hub, with advice. */
export function StatusSection() {
  const { t } = useTranslation('system');
  const format = useTimeFormat();
  const { data, error, refetch } = useQuery({ ...statusQuery, refetchInterval: 30_000 });
  if (data === undefined) {
    return (
      <Section title={t('status')}>
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading rows={2} height={64} />}
      </Section>
    );
  }
  const { processor_last_seen: seen } = data;
  return (
    <Section
      title={t('status')}
      actions={seen !== null && <RestartProcessor isPending={data.processor_restart_pending} />}
    >
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="lg">
        {parts.map((part) => (
          <PartState key={part} part={part} state={data[part]} />
        ))}
        {data.sources.map((source) => (
          <SourceState key={source.id} source={source} />
        ))}
      </SimpleGrid>
      <CameraLinks />
      <Text size="sm" c="dimmed">
        {seen === null ? t('never_seen') : t('last_seen', { time: format.moment(seen) })}
      </Text>
    </Section>
  );
}

/** Links to the pages of the cameras. */
function CameraLinks() {
  const { t } = useTranslation('system');
  const { data: cameras = [] } = useQuery(camerasQuery);
  if (cameras.length === 0) return null;
  return (
    <Group gap="xs" component="nav" aria-label={t('cameras')}>
      <IconCamera size={18} stroke={1.6} aria-hidden />
      {cameras.map(({ id, name }) => (
        <Anchor
          key={id}
          size="sm"
          renderRoot={(props) => <Link to="/cameras/$id" params={{ id }} {...props} />}
        >
          {name}
        </Anchor>
      ))}
    </Group>
  );
}
