import { Button, Group, List, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSentences } from '../../api/sentences';
import { useTimeFormat } from '../../lib/format';
import {
  type ImportAction,
  type ImportJob,
  importsQuery,
  isUnfinished,
  useChangeImport,
  useImportProblem,
} from './import-queries';
import classes from './sources.module.css';

/** Progress or result of the latest import of a source, and of earlier ones that are paused. */
export function ImportProgress({ sourceId }: { readonly sourceId: number }) {
  const { data = [] } = useQuery(importsQuery);
  const own = data.filter(({ parameters }) => parameters.source_id === sourceId);
  return own
    .filter((job, index) => index === 0 || isUnfinished(job))
    .map((job) => <ImportPanel key={job.job_id} job={job} />);
}

function ImportPanel({ job }: { readonly job: ImportJob }) {
  const { t } = useTranslation('sources');
  const { number, moment } = useTimeFormat();
  const translate = useSentences('sources');
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
      <Report result={job.result} />
      {job.error !== null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {translate(job.result?.failure, job.error)}
        </Text>
      )}
      {isUnfinished(job) && <Actions job={job} />}
    </section>
  );
}

/** Range of an import, and whether it includes files. */
function Scope({ job: { parameters } }: { readonly job: ImportJob }) {
  const { t } = useTranslation('sources');
  const { moment } = useTimeFormat();
  const { since, until, media } = parameters;
  if (since === undefined) return null;
  const span =
    until === undefined
      ? t('import_since_day', { day: moment(since) })
      : t('import_span', { from: moment(since), to: moment(until) });
  return (
    <Text size="sm" c="dimmed">
      {media === 'none' ? `${span} · ${t('import_without_media')}` : span}
    </Text>
  );
}

/** Numbers of imported, existing and skipped events, with the reasons. */
function Report({ result }: Pick<ImportJob, 'result'>) {
  const { t } = useTranslation('sources');
  const { number } = useTimeFormat();
  const translate = useSentences('sources');
  const reasons = result?.reasons ?? [];
  const figures = [
    ['import_imported', result?.imported ?? 0],
    ['import_known', result?.already_known ?? 0],
    ['import_skipped', reasons.reduce((sum, { count }) => sum + count, 0)],
  ] as const;
  return (
    <Stack gap={4}>
      <dl className={`${classes['facts']} ${classes['counts']}`}>
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{t(label)}</dt>
            <dd>{number(value)}</dd>
          </div>
        ))}
      </dl>
      {reasons.length > 0 && (
        <>
          <Text size="sm">{t('import_reasons')}</Text>
          <List size="sm">
            {reasons.map(({ reason, sentences, count }) => (
              <List.Item key={reason}>
                {number(count)}: {translate(sentences, reason)}
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
  const describeProblem = useImportProblem();
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
          {describeProblem(change.error)}
        </Text>
      )}
    </Stack>
  );
}
