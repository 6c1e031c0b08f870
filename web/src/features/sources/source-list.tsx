import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '../../api/problem';
import { useSentences } from '../../api/sentences';
import { useCameraName } from '../../lib/cameras';
import { useNow } from '../../lib/clock';
import { useTimeFormat } from '../../lib/format';
import { DroppedEvents } from './dropped-events';
import { ImportDialog } from './import-dialog';
import { ImportProgress } from './import-progress';
import { KindIcon } from './kind-icon';
import { RemoveSourceDialog } from './remove-source-dialog';
import type { Source } from './source-form';
import classes from './sources.module.css';
import { useUpdateSource } from './sources-queries';

interface SourceListProps {
  readonly sources: readonly Source[];
  /** Id of the source that was just added. */
  readonly addedId: number | undefined;
}

/** List of sources with their state. */
export function SourceList({ sources, addedId }: SourceListProps) {
  const { t } = useTranslation('sources');
  const [imported, setImported] = useState<Source>();
  const [removed, setRemoved] = useState<Source>();
  return (
    <section aria-labelledby="your-sources">
      <Title order={2} size="h4" id="your-sources" mb="sm">
        {t('yours')}
      </Title>
      <ul className={classes['list']}>
        {sources.map((source) => (
          <SourceCard
            key={source.id}
            source={source}
            isNew={source.id === addedId}
            onImport={() => setImported(source)}
            onRemove={() => setRemoved(source)}
          />
        ))}
      </ul>
      {imported && <ImportDialog source={imported} onClose={() => setImported(undefined)} />}
      {removed && <RemoveSourceDialog source={removed} onClose={() => setRemoved(undefined)} />}
    </section>
  );
}

/** Text colours with enough contrast on the badges. */
const colors: Readonly<Record<Source['state'], string>> = {
  connecting: 'gray',
  live: 'moss',
  behind: 'blue',
  silent: 'yellow',
  error: 'red',
  paused: 'gray',
};

interface SourceCardProps {
  readonly source: Source;
  readonly isNew: boolean;
  readonly onImport: () => void;
  readonly onRemove: () => void;
}

function SourceCard({ source, isNew, onImport, onRemove }: SourceCardProps) {
  const { t } = useTranslation('sources');
  const translate = useSentences('sources');
  const { id, kind, name, state, message } = source;
  const titleId = `source-${id}`;
  const named = (action: 'import' | 'edit' | 'remove') => ({
    'aria-label': t('action_named', { action: t(action), name }),
  });
  return (
    <Paper component="li" withBorder p="md" radius="md" bg="var(--card-background)" aria-labelledby={titleId}>
      <Stack gap="md">
        <Group wrap="nowrap" gap="sm" align="flex-start">
          <KindIcon kind={kind} />
          <Stack gap={4} miw={0} flex={1}>
            <Group gap="xs">
              <Title order={3} size="h5" id={titleId} style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Title>
              <Badge color={colors[state]} variant="light" tt="none">
                {t(`state.${state}`)}
              </Badge>
            </Group>
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {[t(`kind.${kind}`), source.url ?? source.path].filter(Boolean).join(' · ')}
            </Text>
          </Stack>
        </Group>
        {isNew && <Welcome source={source} onImport={onImport} />}
        <Text
          size="sm"
          style={{ overflowWrap: 'anywhere' }}
          {...(state === 'error' && { c: 'var(--mantine-color-error)' })}
        >
          {message === null ? t(`state.${state}.about`) : translate(source.sentences, message)}
        </Text>
        <Facts source={source} />
        <ImportProgress sourceId={id} />
        <DroppedEvents sourceId={id} sourceName={name} />
        <Group gap="xs">
          {!isNew && (
            <Button variant="light" size="sm" onClick={onImport} {...named('import')}>
              {t('import')}
            </Button>
          )}
          <PauseButton source={source} />
          <Button
            variant="default"
            size="sm"
            {...named('edit')}
            renderRoot={(props) => <Link to="/sources" search={{ edit: id }} {...props} />}
          >
            {t('edit')}
          </Button>
          <Button variant="default" size="sm" onClick={onRemove} {...named('remove')}>
            {t('remove')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

/** Next steps for a newly added source. */
function Welcome({ source, onImport }: { readonly source: Source; readonly onImport: () => void }) {
  const { t } = useTranslation('sources');
  return (
    <Group role="status" wrap="nowrap" align="flex-start" gap="sm">
      <IconCircleCheck size={22} stroke={1.6} aria-hidden style={{ flex: 'none' }} />
      <Stack gap="xs">
        <div>
          <Text fw={600}>{t('added_title', { name: source.name })}</Text>
          <Text size="sm">{t('added')}</Text>
        </div>
        <Group>
          <Button size="sm" onClick={onImport}>
            {t('import')}
          </Button>
        </Group>
      </Stack>
    </Group>
  );
}

/** Last contact, last bird and lag of a source. */
function Facts({ source }: { readonly source: Source }) {
  const { t } = useTranslation('sources');
  const { ago, duration, number } = useTimeFormat();
  const cameraName = useCameraName();
  const now = useNow();
  const { last_contact_at: contact, last_event_at: bird, behind_seconds: behind, media_waiting } = source;
  const upstream = source.cameras.map(({ upstream: camera, camera_id: here }) => {
    const name = cameraName(here);
    return name === camera ? camera : `${camera} → ${name}`;
  });
  const facts = [
    [t('last_contact'), contact === null ? t('never') : ago(contact, now)],
    [t('last_bird'), bird === null ? t('never') : ago(bird, now)],
    [t('behind'), behind === null ? t('unknown') : behind < 1 ? t('behind_none') : duration(behind)],
    ...(media_waiting > 0 ? [[t('media_waiting'), number(media_waiting)] as const] : []),
  ] as const;
  return (
    <dl className={classes['facts']}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {upstream.length > 0 && (
        <div className={classes['wide']}>
          <dt>{t('camera_names')}</dt>
          <dd>{upstream.join(', ')}</dd>
        </div>
      )}
    </dl>
  );
}

function PauseButton({ source: { id, name, enabled } }: { readonly source: Source }) {
  const { t } = useTranslation('sources');
  const update = useUpdateSource();
  const action = t(enabled ? 'pause' : 'resume');
  return (
    <Button
      variant="default"
      size="sm"
      loading={update.isPending}
      aria-label={t('action_named', { action, name })}
      onClick={() =>
        update.mutate(
          { id, change: { enabled: !enabled } },
          { onError: (error) => notifications.show({ color: 'red', message: problemText(t, error) }) },
        )
      }
    >
      {action}
    </Button>
  );
}
