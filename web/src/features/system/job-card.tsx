import { Badge, Button, Card, Group, List, Progress, Spoiler, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { problemText } from '../../api/problem';
import { useTimeFormat } from '../../lib/format';
import { percentDone } from './job-progress';
import type { Job } from './start-job';

const colors = { running: 'blue', done: 'moss', error: 'red', cancelled: 'gray' } as const;

function CancelJob({ id }: { readonly id: number }) {
  const { t } = useTranslation('system');
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => unwrap(hub.POST('/api/ui/system/jobs/{id}/cancel', { params: { path: { id } } })),
    onSettled: () => client.invalidateQueries({ queryKey: ['jobs'] }),
  });
  return (
    <Stack gap={2} align="flex-end">
      <Button variant="default" size="xs" loading={cancel.isPending} onClick={() => cancel.mutate()}>
        {t('cancel')}
      </Button>
      {cancel.error && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {problemText(t, cancel.error)}
        </Text>
      )}
    </Stack>
  );
}

function Failures({ failures }: Pick<Job, 'failures'>) {
  const { t } = useTranslation('system');
  return (
    <Spoiler maxHeight={72} showLabel={t('more_failures')} hideLabel={t('show_fewer')}>
      <List size="sm">
        {failures.map(({ video_id: id, path, reason }) => (
          <List.Item key={`${id} ${path}`}>
            {path ?? (id === null ? '' : t('recording', { id }))}: {reason}
          </List.Item>
        ))}
      </List>
    </Spoiler>
  );
}

/** A job: how far it is or what came of it, and what nothing could be made of. */
export function JobCard({ job }: { readonly job: Job }) {
  const { t } = useTranslation('system');
  const { moment, number } = useTimeFormat();
  const { processed, total, generated, failed } = job.progress;
  const isRunning = job.state === 'running';
  return (
    <Card withBorder padding="sm" bg="transparent">
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start">
          <Stack gap={0}>
            <Group gap="xs">
              <Text fw={600}>{t(`job.${job.kind}`)}</Text>
              <Badge color={colors[job.state]} variant="light" tt="none">
                {t(`job_state.${job.state}`)}
              </Badge>
            </Group>
            <Text size="sm" c="dimmed">
              {moment(job.started_at)}
              {job.finished_at !== null && ` – ${moment(job.finished_at)}`}
            </Text>
          </Stack>
          {isRunning && <CancelJob id={job.job_id} />}
        </Group>
        {isRunning && (
          <Progress
            value={percentDone(job) ?? 100}
            animated
            striped={total === 0}
            aria-label={t(`job.${job.kind}`)}
          />
        )}
        <Text size="sm">
          {t(total > 0 ? 'job_counts' : 'job_counts_open', {
            processed: number(processed),
            total: number(total),
            made: number(generated),
            failed: number(failed),
          })}
        </Text>
        {job.error !== null && (
          <Text size="sm" c="var(--mantine-color-error)">
            {job.error}
          </Text>
        )}
        {job.failures.length > 0 && <Failures failures={job.failures} />}
      </Stack>
    </Card>
  );
}
