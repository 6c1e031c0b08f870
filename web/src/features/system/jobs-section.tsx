import { Badge, Button, Card, Group, List, Progress, SimpleGrid, Spoiler, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { problemText } from '../../api/problem';
import type { components } from '../../api/schema';
import { useSentences } from '../../api/sentences';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { Failure, Loading } from '../../components/states';
import { useTimeFormat } from '../../lib/format';
import { useNextFocus } from '../../lib/use-next-focus';
import { Section } from './section';
import { percentDone } from './system-figures';

type Job = components['schemas']['Job'];

const scan = (confirm: boolean) =>
  unwrap(hub.POST('/api/ui/system/recordings/scan', { body: { background: true, confirm } }));

/** Jobs that can be started by hand; `regroup` starts when zone or gap change. */
const startableJobs = {
  scan: () => scan(false),
  'media-repair': () => unwrap(hub.POST('/api/ui/system/repair-media', { body: {} })),
  spectrograms: () => unwrap(hub.POST('/api/ui/system/regenerate-spectrograms', { body: {} })),
  tracks: () => unwrap(hub.POST('/api/ui/system/regenerate-tracks', { body: {} })),
} as const satisfies Partial<Record<Job['kind'], () => Promise<unknown>>>;

type StartableJob = keyof typeof startableJobs;

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

/** Background jobs: start, progress, cancel. */
export function JobsSection() {
  const { t } = useTranslation('system');
  const { data, error, refetch } = useQuery({
    queryKey: ['jobs'],
    queryFn: ({ signal }) =>
      unwrap(hub.GET('/api/ui/system/jobs', { params: { query: { limit: shownJobs } }, signal })),
    refetchInterval: ({ state }) => (state.data?.jobs.some(isRunning) ? 1_500 : 30_000),
  });
  const running = data?.jobs.filter(isRunning).map(({ kind }) => kind) ?? [];
  const latestOf = (kind: Job['kind']) => data?.jobs.find((job) => job.kind === kind);
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
            <JobCard key={job.job_id} job={job} isLatest={job === latestOf(job.kind)} />
          ))}
        </Stack>
      </SimpleGrid>
    </Section>
  );
}

const colors = { running: 'blue', paused: 'gray', done: 'moss', error: 'red', cancelled: 'gray' } as const;

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
  const say = useSentences();
  return (
    <Spoiler maxHeight={72} showLabel={t('more_failures')} hideLabel={t('show_fewer')}>
      <List size="sm">
        {failures.map(({ video_id: id, path, reason, sentences }) => (
          <List.Item key={`${id} ${path}`}>
            {path ?? (id === null ? '' : t('recording', { id }))}: {say(sentences, reason)}
          </List.Item>
        ))}
      </List>
    </Spoiler>
  );
}

interface ScanAnywayProps {
  /** Why the scan changed nothing. */
  readonly reason: string;
  /** Gets the focus when the button disappears with it. */
  readonly nextFocus: RefObject<HTMLElement | null>;
}

/** Repeats a scan that found almost none of the files, after a question. */
function ScanAnyway({ reason, nextFocus }: ScanAnywayProps) {
  const { t } = useTranslation('system');
  const client = useQueryClient();
  const [isAsking, { open, close }] = useDisclosure();
  const button = useNextFocus(nextFocus);
  const start = useMutation({
    mutationFn: () => scan(true),
    onSuccess: async () => {
      close();
      await client.invalidateQueries({ queryKey: ['jobs'] });
    },
  });
  return (
    <>
      <Button
        ref={button}
        variant="default"
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => {
          start.reset();
          open();
        }}
      >
        {t('scan_anyway')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('job.scan')}
        label={t('scan_anyway')}
        isPending={start.isPending}
        error={start.error}
        onConfirm={() => start.mutate()}
        onClose={close}
      >
        <Text size="sm">{reason}</Text>
        <Text size="sm">{t('scan_anyway_hint')}</Text>
      </ConfirmDialog>
    </>
  );
}

interface JobCardProps {
  readonly job: Job;
  /** Whether it is the latest of its kind. */
  readonly isLatest: boolean;
}

/** A job: progress or outcome, and its failures. */
function JobCard({ job, isLatest }: JobCardProps) {
  const { t } = useTranslation('system');
  const card = useRef<HTMLDivElement>(null);
  const { moment, number } = useTimeFormat();
  const say = useSentences(job.kind === 'import' ? 'sources' : 'api');
  const { processed, total, generated, failed } = job.progress;
  const isRunning = job.state === 'running';
  const failure = job.result?.failure;
  const needsConfirm = isLatest && failure?.some(({ code }) => code === 'recordings_absent');
  return (
    <Card ref={card} tabIndex={-1} withBorder padding="sm" bg="transparent">
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
        {(isRunning || processed > 0) && (
          <Text size="sm">
            {t(total > 0 ? 'job_counts' : 'job_counts_open', {
              processed: number(processed),
              total: number(total),
              made: number(generated),
              failed: number(failed),
            })}
          </Text>
        )}
        {job.error !== null && (
          <Text size="sm" c="var(--mantine-color-error)">
            {say(failure, job.error)}
          </Text>
        )}
        {needsConfirm && <ScanAnyway reason={say(failure, job.error ?? '')} nextFocus={card} />}
        {job.failures.length > 0 && <Failures failures={job.failures} />}
      </Stack>
    </Card>
  );
}
