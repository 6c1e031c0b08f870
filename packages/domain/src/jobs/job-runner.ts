import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createLoop, withAnySignal } from '@birdhub/shared/async';
import {
  isTransient,
  lockPrefixes,
  type PrismaClient,
  translateDatabaseError,
  withAdvisoryLock,
} from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import type { CommitDeps } from '@birdhub/shared/outbox';
import type { Clock } from '@birdhub/shared/time';
import type { Logger } from 'pino';
import { isProgramMissing } from '../media/run-tool.js';
import {
  describeJob,
  type ItemJobKind,
  type ItemResult,
  type Job,
  JobFailedError,
  type JobKind,
  type JobName,
  type JobParameters,
  type JobProgress,
  type JobResult,
  pausableJobNames,
  type TaskJobKind,
  type TaskRun,
} from './job.js';
import type { JobMetrics } from './job-metrics.js';
import { type JobProblem, jobProblem, problemInEnglish } from './job-problems.js';
import {
  addJob,
  cancelPaused,
  findJob,
  findLatest,
  findRunning,
  finishItem,
  finishJob,
  type JobEnd,
  type JobLease,
  type LeasedJob,
  type LeaseStatus,
  leaseJob,
  listNextItems,
  pauseJob,
  requestCancel,
  resumeJob,
  saveProgress,
  startItem,
} from './jobs.store.js';

/** Background jobs; at most one of a kind runs at a time across all processes. */
export interface Jobs {
  /** @throws HubError job_running */
  start(kind: JobName, parameters: JobParameters): Promise<Job>;
  /** Cancels a job and aborts its current item. @throws HubError job_not_found */
  cancel(jobId: number): Promise<Job>;
  /**
   * Stops a job until it is resumed. Does nothing to a finished job.
   * @throws HubError job_not_found, job_not_pausable
   */
  pause(jobId: number): Promise<Job>;
  /** Continues a paused job. Does nothing to a finished job. @throws HubError job_not_found, job_running */
  resume(jobId: number): Promise<Job>;
  /** Resolves to the job once it has ended in any process. Rejects with the signal's reason. */
  waitUntilFinished(jobId: number, signal: AbortSignal): Promise<Job>;
  /** Stops running jobs; the next process resumes them. */
  close(): Promise<void>;
}

/** Dependencies of the job runner. */
export interface JobDeps extends JobRunDeps {
  readonly kinds: readonly JobKind[];
  /** Interval of the check for running jobs that no process has leased. */
  readonly pollIntervalMs?: number;
}

/** Interval of the check whether a job of another process has ended. */
const remotePollIntervalMs = 300;

/** Starts the runners of all kinds, which first resume the jobs that were interrupted when their process ended. */
export function startJobs(deps: JobDeps): Jobs {
  const { prisma, kinds, log, metrics, pollIntervalMs = 5_000 } = deps;
  const runners = new Map(
    kinds.map((kind) => [kind.name as JobName, startKindRunner(kind, deps, pollIntervalMs)]),
  );

  return {
    async start(kind, parameters) {
      const job = await addJob(deps, kind, parameters);
      if (!job) {
        const status = describeJob(await findLatest(prisma, kind));
        throw new HubError('job_running', { extra: { status } });
      }
      metrics.started(kind);
      log.info({ job_id: job.id, kind, total: job.total }, 'job started');
      runners.get(kind)?.wake();
      return job;
    },
    async cancel(jobId) {
      const job = await requestCancel(prisma, jobId);
      if (!job) throw new HubError('job_not_found');
      if (job.state === 'running') runners.get(job.kind)?.cancel();
      if (job.state !== 'paused') return job;
      await cancelPaused(deps, job);
      return getJob(prisma, jobId);
    },
    async pause(jobId) {
      const job = await getJob(prisma, jobId);
      if (!pausableJobNames.includes(job.kind)) throw new HubError('job_not_pausable');
      if (await pauseJob(prisma, jobId)) runners.get(job.kind)?.cancel();
      return getJob(prisma, jobId);
    },
    async resume(jobId) {
      const job = await getJob(prisma, jobId);
      if (job.state === 'paused') await resumePaused(deps, job);
      runners.get(job.kind)?.wake();
      return getJob(prisma, jobId);
    },
    async waitUntilFinished(jobId, signal) {
      for (;;) {
        signal.throwIfAborted();
        const job = await getJob(prisma, jobId);
        if (job.state !== 'running') return job;
        await runners.get(job.kind)?.waitUntilIdle(remotePollIntervalMs);
      }
    },
    async close() {
      await Promise.all([...runners.values()].map((runner) => runner.close()));
    },
  };
}

/** @throws HubError job_not_found */
async function getJob(prisma: PrismaClient, jobId: number): Promise<Job> {
  const job = await findJob(prisma, jobId);
  if (!job) throw new HubError('job_not_found');
  return job;
}

/** @throws HubError job_running when another job of its kind was started meanwhile */
async function resumePaused({ prisma }: JobRunDeps, { id, kind }: Job): Promise<void> {
  if (await resumeJob(prisma, id)) return;
  const status = describeJob(await findLatest(prisma, kind));
  throw new HubError('job_running', { extra: { status } });
}

/** Runs the jobs of one kind. */
interface KindRunner {
  wake(): void;
  /** Cancels the job that runs in this process. */
  cancel(): void;
  /** Resolves when no job is running in this process, or after the timeout. */
  waitUntilIdle(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

function startKindRunner(kind: JobKind, deps: JobRunDeps, pollIntervalMs: number): KindRunner {
  const { pool, log } = deps;
  let cancelController = new AbortController();

  async function runPending(stop: AbortSignal): Promise<void> {
    if (!(await findRunning(pool, kind.name))) return;
    cancelController = new AbortController();
    const signals = { stop, cancel: cancelController.signal };
    await withAdvisoryLock(pool, `${lockPrefixes.job}${kind.name}`, () => runJob(deps, kind, signals));
  }

  const loop = createLoop({
    work: runPending,
    everyMs: pollIntervalMs,
    onError: (error) => log.warn({ err: error, kind: kind.name }, 'job interrupted, will be resumed'),
  });
  loop.start();
  return {
    wake: () => loop.wake(),
    cancel: () => cancelController.abort(new Error('cancelled')),
    async waitUntilIdle(timeoutMs) {
      await Promise.race([pause(timeoutMs), ...(loop.running ? [loop.running] : [])]);
    },
    close: () => loop.stop(),
  };
}

/** Dependencies of a running job. */
export interface JobRunDeps extends CommitDeps {
  readonly prisma: PrismaClient;
  readonly log: Logger;
  readonly clock: Clock;
  readonly metrics: JobMetrics;
}

/** `stop` leaves the job for the next process; `cancel` ends it. Both abort the current item. */
export interface JobSignals {
  readonly stop: AbortSignal;
  readonly cancel: AbortSignal;
}

/** A leased job with its dependencies. */
interface JobContext extends JobRunDeps {
  readonly job: LeasedJob;
  readonly lease: JobLease;
  /** Aborts the current item. */
  readonly signal: AbortSignal;
}

/** Thrown in a job that was cancelled or has lost its lease: it was paused, or another process took it over. */
class JobStoppedError extends Error {
  override readonly name = 'JobStoppedError';
  readonly status: Exclude<LeaseStatus, 'held'>;

  constructor(status: Exclude<LeaseStatus, 'held'>) {
    super(`the job was ${status}`);
    this.status = status;
  }
}

const itemBatchSize = 100;
const saveIntervalMs = 500;
const outcomes = ['generated', 'failed', 'skipped'] as const;
const noProgress: JobProgress = {
  total: 0,
  processed: 0,
  generated: 0,
  failed: 0,
  skipped: 0,
  failures: [],
};
const cancelled: JobEnd = { state: 'cancelled', error: null };
const crashed = failedBy(jobProblem('crashed'));

/**
 * Runs the job of a kind, if there is one, from its saved position to its end. Throws when the job has to be resumed
 * later, because the service is stopping or the database is unreachable.
 */
async function runJob(deps: JobRunDeps, kind: JobKind, signals: JobSignals): Promise<void> {
  const { prisma, log, metrics } = deps;
  const runner = randomUUID();
  const job = await leaseJob(prisma, kind.name, runner);
  if (!job) return;
  const lease = { jobId: job.id, runner };
  const endRunning = metrics.running(kind.name);
  try {
    const end = await withAnySignal([signals.stop, signals.cancel], (signal) =>
      runToEnd(kind, { ...deps, job, lease, signal }),
    );
    await finish(deps, kind, lease, end);
  } catch (error) {
    const end = toJobEnd(error, signals);
    if (end === crashed) log.error({ err: error, job_id: job.id, kind: kind.name }, 'job failed');
    if (end) await finish(deps, kind, lease, end);
  } finally {
    endRunning();
  }
}

async function runToEnd(kind: JobKind, context: JobContext): Promise<JobEnd> {
  if ('work' in kind) {
    await runItems(kind, context);
    return { state: 'done', error: null };
  }
  return { state: 'done', error: null, result: await runTask(kind, context) };
}

function failedBy(problem: JobProblem): JobEnd {
  return { state: 'error', error: problemInEnglish(problem), failure: [problem] };
}

/** Returns how an interrupted job ended, or undefined when its lease is lost. Rethrows when it has to be resumed. */
function toJobEnd(error: unknown, { stop, cancel }: JobSignals): JobEnd | undefined {
  if (stop.aborted) throw stop.reason;
  if (cancel.aborted) return cancelled;
  if (error instanceof JobStoppedError) return error.status === 'cancelled' ? cancelled : undefined;
  if (error instanceof JobFailedError)
    return { state: 'error', error: error.message, failure: error.sentences };
  if (isTransient(error) || translateDatabaseError(error)) throw error;
  return crashed;
}

async function finish(deps: JobRunDeps, kind: JobKind, lease: JobLease, end: JobEnd): Promise<void> {
  const { log, metrics } = deps;
  const seconds = await finishJob(deps, lease, kind.name, end);
  if (seconds === undefined) return;
  metrics.finished(kind.name, end.state, seconds);
  log.info({ job_id: lease.jobId, kind: kind.name, state: end.state }, 'job finished');
}

/** Processes the recordings of a job from its saved position. */
async function runItems(kind: ItemJobKind, context: JobContext): Promise<void> {
  const { pool, job, lease, signal, metrics } = context;
  let { position } = job;
  for (;;) {
    const videoIds = await listNextItems(pool, job, position, itemBatchSize);
    if (!videoIds.length) return;
    for (const videoId of videoIds) {
      signal.throwIfAborted();
      const status = await startItem(pool, lease, videoId);
      if (status !== 'held') throw new JobStoppedError(status);
      const result = await workOnItem(kind, videoId, context);
      await finishItem(pool, lease, videoId, result);
      metrics.items(kind.name, result.outcome, 1);
      position = videoId;
    }
  }
}

async function workOnItem(
  kind: ItemJobKind,
  videoId: number,
  { job, signal }: JobContext,
): Promise<ItemResult> {
  const force = 'force' in job.parameters && job.parameters.force;
  try {
    return await kind.work(videoId, { force, signal });
  } catch (error) {
    signal.throwIfAborted();
    return toItemFailure(error);
  }
}

/** A failed recording does not stop the job; an unreachable database interrupts it until it is resumed. */
function toItemFailure(error: unknown): ItemResult {
  if (error instanceof JobFailedError) throw error;
  if (!(error instanceof Error) || isTransient(error) || translateDatabaseError(error)) throw error;
  if (isProgramMissing(error)) {
    const program = basename((error as NodeJS.ErrnoException).syscall ?? '').replace(/^spawn /, '');
    const problem = jobProblem('program_missing', { program });
    throw new JobFailedError(problemInEnglish(problem), [problem], { cause: error });
  }
  // The message of a file system error contains paths of the host.
  const isSystemError = 'syscall' in error && 'code' in error;
  const reason = isSystemError
    ? jobProblem('files_unusable', { code: String(error.code) })
    : jobProblem('unexpected', { message: error.message });
  return { outcome: 'failed', reason };
}

/** Runs a task and saves its progress at intervals. */
async function runTask(kind: TaskJobKind, context: JobContext): Promise<JobResult> {
  const { prisma, job, lease, signal, metrics, clock } = context;
  const checkpoint = job.checkpoint ?? undefined;
  const progress: JobProgress = checkpoint ? job : noProgress;
  let saved = progress;
  let latest = progress;
  let latestReached: Parameters<TaskRun['report']>[1];
  let savedAt = Number.NEGATIVE_INFINITY;

  async function save(isDone = false): Promise<void> {
    const status = await saveProgress(prisma, lease, latest, latestReached);
    if (status === 'lost' || (status === 'cancelled' && !isDone)) throw new JobStoppedError(status);
    for (const outcome of outcomes) {
      const added = latest[outcome] - saved[outcome];
      if (added > 0) metrics.items(kind.name, outcome, added);
    }
    saved = latest;
    savedAt = clock.now();
  }

  const report: TaskRun['report'] = async (counts, reached) => {
    signal.throwIfAborted();
    latest = counts;
    latestReached = reached ?? latestReached;
    if (clock.now() - savedAt >= saveIntervalMs) await save();
  };

  await save();
  const { parameters, startedAt, isResumed, result: stored } = job;
  const run = {
    parameters,
    startedAt,
    isResumed,
    progress,
    checkpoint,
    result: stored ?? undefined,
    signal,
    report,
  };
  // The last report is saved even when the task fails or is interrupted.
  const result = await kind.perform(run).catch(async (error: unknown) => {
    await save(true).catch(() => undefined);
    throw error;
  });
  await save(true);
  return result;
}
