import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { problemText } from '../../api/problem';
import { Failure, Loading } from '../../components/states';
import { JobCard } from './job-card';
import { Section } from './section';
import { type Job, type StartableJob, startableJobs } from './start-job';

const shownJobs = 6;
const kinds = Object.keys(startableJobs) as StartableJob[];
const isRunning = ({ state }: Job) => state === 'running';

function StartJob({ kind, running }: { readonly kind: StartableJob; readonly running: boolean }) {
  const { t } = useTranslation('system');
  const client = useQueryClient();
  const start = useMutation({
    mutationFn: () => startableJobs[kind](),
    onSettled: () => client.invalidateQueries({ queryKey: ['jobs'] }),
    onError: (error) => notifications.show({ color: 'red', message: problemText(t, error) }),
  });
  return (
    <Group wrap="nowrap" justify="space-between" align="flex-start">
      <Stack gap={0}>
        <Text fw={600}>{t(`job.${kind}`)}</Text>
        <Text size="sm" c="dimmed">
          {t(`job_help.${kind}`)}
        </Text>
      </Stack>
      <Button
        variant="light"
        size="sm"
        aria-label={`${t('start')}: ${t(`job.${kind}`)}`}
        loading={start.isPending}
        disabled={running}
        flex="none"
        onClick={() => start.mutate()}
      >
        {t('start')}
      </Button>
    </Group>
  );
}

/** Long work on the recordings: to start, to watch and to stop. */
export function JobsSection() {
  const { t } = useTranslation('system');
  const { data, error, refetch } = useQuery({
    queryKey: ['jobs'],
    queryFn: ({ signal }) =>
      unwrap(hub.GET('/api/ui/system/jobs', { params: { query: { limit: shownJobs } }, signal })),
    refetchInterval: ({ state }) => (state.data?.jobs.some(isRunning) ? 1_500 : 30_000),
  });
  const running = data?.jobs.filter(isRunning).map(({ kind }) => kind) ?? [];
  return (
    <Section title={t('jobs')}>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
        <Stack>
          {kinds.map((kind) => (
            <StartJob key={kind} kind={kind} running={running.includes(kind)} />
          ))}
        </Stack>
        <Stack gap="sm">
          {error && data === undefined && <Failure error={error} onRetry={() => void refetch()} />}
          {!error && data === undefined && <Loading rows={2} height={96} />}
          {data?.jobs.length === 0 && <Text c="dimmed">{t('no_jobs')}</Text>}
          {data?.jobs.map((job) => (
            <JobCard key={job.job_id} job={job} />
          ))}
        </Stack>
      </SimpleGrid>
    </Section>
  );
}
