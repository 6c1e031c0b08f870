import { Button, Group, List, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { problemText } from '../../api/problem';
import { useTimeFormat } from '../../lib/format';
import {
  type ImportAction,
  type ImportJob,
  importsQuery,
  isUnfinished,
  useChangeImport,
} from './import-queries';
import classes from './sources.module.css';

/** The last import of a source: how far it is, or what came of it. */
export function ImportProgress({ sourceId }: { readonly sourceId: number }) {
  const { data } = useQuery(importsQuery);
  const job = data?.find(({ parameters }) => parameters.source_id === sourceId);
  return job === undefined ? null : <ImportPanel job={job} />;
}

function ImportPanel({ job }: { readonly job: ImportJob }) {
  const { t } = useTranslation('sources');
  const { number, moment } = useTimeFormat();
  const { processed, total } = job.progress;
  const title = t(`import_${job.state}`);
  const counts = { processed: number(processed), total: number(total) };
  return (
    <section className={classes['import']} aria-label={title}>
      <Group justify="space-between" gap="xs">
        <Text fw={600} size="sm">
          {title}
        </Text>
        <Text size="sm" c="dimmed">
          {isUnfinished(job)
            ? t(total > 0 ? 'import_progress' : 'import_progress_open', counts)
            : job.finished_at !== null && moment(job.finished_at)}
        </Text>
      </Group>
      <Scope job={job} />
      {isUnfinished(job) && (
        <Progress
          value={total > 0 ? Math.min(100, (processed / total) * 100) : 100}
          animated={job.state === 'running'}
          striped={total === 0}
          color={job.state === 'paused' ? 'gray' : 'moss'}
          aria-label={title}
        />
      )}
      <Report job={job} />
      {job.error !== null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {job.error}
        </Text>
      )}
      {isUnfinished(job) && <Actions job={job} />}
    </section>
  );
}

/** From when to when, and whether with files. */
function Scope({ job: { parameters } }: { readonly job: ImportJob }) {
  const { t } = useTranslation('sources');
  const { moment } = useTimeFormat();
  const { from, to, media } = parameters;
  const span =
    typeof from !== 'string'
      ? undefined
      : typeof to === 'string'
        ? t('import_span', { from: moment(from), to: moment(to) })
        : t('import_since_day', { day: moment(from) });
  const scope = [span, media === 'none' ? t('import_without_media') : undefined].filter(Boolean);
  return scope.length === 0 ? null : (
    <Text size="sm" c="dimmed">
      {scope.join(' · ')}
    </Text>
  );
}

/** What was taken, what was here already, and what was left out and why. */
function Report({ job: { result, progress } }: { readonly job: ImportJob }) {
  const { t } = useTranslation('sources');
  const { number } = useTimeFormat();
  const leftOut = result?.left_out ?? [];
  const figures =
    result === null
      ? [
          ['import_taken', progress.generated],
          ['import_rest', progress.skipped],
        ]
      : [
          ['import_taken', result.taken ?? 0],
          ['import_known', result.known ?? 0],
          ['import_skipped', leftOut.reduce((sum, { count }) => sum + count, 0)],
        ];
  return (
    <Stack gap={4}>
      <dl className={classes['facts']}>
        {(figures as ['import_taken', number][]).map(([label, value]) => (
          <div key={label}>
            <dt>{t(label)}</dt>
            <dd>{number(value)}</dd>
          </div>
        ))}
      </dl>
      {leftOut.length > 0 && (
        <>
          <Text size="sm">{t('import_reasons')}</Text>
          <List size="sm">
            {leftOut.map(({ reason, count }) => (
              <List.Item key={reason}>
                {number(count)}: {reason}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Stack>
  );
}

function Actions({ job: { job_id: id, state } }: { readonly job: ImportJob }) {
  const { t } = useTranslation('sources');
  const change = useChangeImport();
  const button = (action: ImportAction) => (
    <Button
      variant="default"
      size="xs"
      loading={change.isPending && change.variables.action === action}
      onClick={() => change.mutate({ id, action })}
    >
      {t(`import_${action}`)}
    </Button>
  );
  return (
    <Stack gap={4}>
      <Group gap="xs">
        {button(state === 'paused' ? 'resume' : 'pause')}
        {button('cancel')}
      </Group>
      {change.error !== null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problemText(t, change.error)}
        </Text>
      )}
    </Stack>
  );
}
