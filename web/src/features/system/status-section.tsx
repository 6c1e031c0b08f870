import { Button, Group, SimpleGrid, Stack, Text, ThemeIcon } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck, IconMinus, IconQuestionMark } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { problemText } from '../../api/problem';
import { Failure, Loading } from '../../components/states';
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

function PartState({ part, state }: { readonly part: Part; readonly state: State }) {
  const { t } = useTranslation('system');
  const { color, icon: Icon } = looks[state];
  const advice = adviceKey(part, state);
  return (
    <Group wrap="nowrap" align="flex-start" gap="sm">
      <ThemeIcon color={color} variant="light" radius="xl" size="lg">
        <Icon size={18} aria-hidden />
      </ThemeIcon>
      <Stack gap={2}>
        <Text fw={600}>{t(`part.${part}`)}</Text>
        <Text size="sm" c={isIdle(state) ? 'dimmed' : 'var(--mantine-color-text)'}>
          {t(`state.${state}`)}
        </Text>
        {advice && <Text size="sm">{t(advice)}</Text>}
      </Stack>
    </Group>
  );
}

function RestartProcessor({ status }: { readonly status: Status }) {
  const { t } = useTranslation('system');
  const client = useQueryClient();
  const restart = useMutation({
    mutationFn: () => unwrap(hub.POST('/api/ui/restart-processor')),
    onSuccess: () => client.invalidateQueries({ queryKey: ['status'] }),
    onError: (error) => notifications.show({ color: 'red', message: problemText(t, error) }),
  });
  return (
    <Button
      variant="light"
      loading={restart.isPending}
      disabled={status.processor_restart_pending}
      onClick={() => restart.mutate()}
    >
      {t(status.processor_restart_pending ? 'restart_pending' : 'restart')}
    </Button>
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
    <Section title={t('status')} actions={<RestartProcessor status={data} />}>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="lg">
        {parts.map((part) => (
          <PartState key={part} part={part} state={data[part]} />
        ))}
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {seen === null ? t('never_seen') : t('last_seen', { time: format.moment(seen) })}
      </Text>
    </Section>
  );
}
