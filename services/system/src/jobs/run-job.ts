import { randomUUID } from 'node:crypto';
import { isProgramMissing } from '@birdhub/domain/media';
import { isTransient, type PrismaClient, translateDatabaseError } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { ItemJobKind, ItemResult, JobKind, JobProgress, JobResult, TaskJobKind } from './job.js';
import type { JobMetrics } from './job-metrics.js';
import {
  finishItem,
  finishJob,
  type JobEnd,
  type JobLease,
  type LeasedJob,
  type LeaseStatus,
  leaseJob,
  listNextItems,
  saveProgress,
  startItem,
} from './jobs.store.js';

/** What a job is run with. */
export interface JobRunDeps {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly log: Logger;
  readonly clock: Clock;
  readonly metrics: JobMetrics;
}

/** `stop` leaves the job for the next process; `cancel` ends it. Both abort the item in hand. */
export interface JobSignals {
  readonly stop: AbortSignal;
  readonly cancel: AbortSignal;
}

/** A leased job and what it is run with. */
interface JobContext extends JobRunDeps {
  readonly job: LeasedJob;
  readonly lease: JobLease;
  /** Aborts the item in hand. */
  readonly signal: AbortSignal;
}

/** A job that cannot run at all, such as when a program it needs is not installed. */
class JobPreconditionError extends Error {
  override readonly name = 'JobPreconditionError';
}

/** A job that was cancelled, or whose lease another process took over. */
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
const crashed: JobEnd = { state: 'error', error: 'It broke off; the log of the hub says why.' };

/**
 * Runs the running job of a kind, if there is one, from its saved position to its end. Throws when the job has to be
 * resumed later: the service stops, or the database is not reachable.
 */
export async function runJob(deps: JobRunDeps, kind: JobKind, signals: JobSignals): Promise<void> {
  const { prisma, log, metrics } = deps;
  const runner = randomUUID();
  const job = await leaseJob(prisma, kind.name, runner);
  if (!job) return;
  const lease = { jobId: job.id, runner };
  const signal = AbortSignal.any([signals.stop, signals.cancel]);
  const endRunning = metrics.running(kind.name);
  try {
    await finish(deps, kind, lease, await runToEnd(kind, { ...deps, job, lease, signal }));
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

/** Returns how an interrupted job ended, or undefined when its lease is lost. Rethrows when it has to be resumed. */
function toJobEnd(error: unknown, { stop, cancel }: JobSignals): JobEnd | undefined {
  if (stop.aborted) throw stop.reason;
  if (cancel.aborted) return cancelled;
  if (error instanceof JobStoppedError) return error.status === 'cancelled' ? cancelled : undefined;
  if (error instanceof JobPreconditionError) return { state: 'error', error: error.message };
  if (isTransient(error) || translateDatabaseError(error)) throw error;
  return crashed;
}

async function finish(
  { pool, log, metrics }: JobRunDeps,
  kind: JobKind,
  lease: JobLease,
  end: JobEnd,
): Promise<void> {
  const seconds = await finishJob(pool, lease, kind.name, end);
  if (seconds === undefined) return;
  metrics.finished(kind.name, end.state, seconds);
  log.info({ job_id: lease.jobId, kind: kind.name, state: end.state }, 'job finished');
}

/** Works on the recordings of a job one by one, from its saved position. */
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

/** A recording that fails does not stop the job. An unreachable database does, until it is back. */
function toItemFailure(error: unknown): ItemResult {
  if (!(error instanceof Error) || isTransient(error) || translateDatabaseError(error)) throw error;
  if (isProgramMissing(error)) throw new JobPreconditionError(error.message, { cause: error });
  // The message of a file system error contains paths of the host.
  const isSystemError = 'syscall' in error && 'code' in error;
  const reason = isSystemError ? `its files cannot be used: ${error.code}` : error.message;
  return { outcome: 'failed', reason };
}

/** Runs a task from its start, and saves its progress at intervals. */
async function runTask(kind: TaskJobKind, context: JobContext): Promise<JobResult> {
  const { prisma, job, lease, signal, metrics, clock } = context;
  let saved = noProgress;
  let latest = noProgress;
  let savedAt = Number.NEGATIVE_INFINITY;

  async function save(isDone = false): Promise<void> {
    const status = await saveProgress(prisma, lease, latest);
    if (status === 'lost' || (status === 'cancelled' && !isDone)) throw new JobStoppedError(status);
    for (const outcome of outcomes) {
      const added = latest[outcome] - saved[outcome];
      if (added > 0) metrics.items(kind.name, outcome, added);
    }
    saved = latest;
    savedAt = clock.now();
  }

  async function report(progress: JobProgress): Promise<void> {
    signal.throwIfAborted();
    latest = progress;
    if (clock.now() - savedAt >= saveIntervalMs) await save();
  }

  await save();
  const { parameters, startedAt, isResumed } = job;
  const result = await kind.perform({ parameters, startedAt, isResumed, signal, report });
  await save(true);
  return result;
}
