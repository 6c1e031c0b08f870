import { randomUUID } from 'node:crypto';
import { isTransient, type PrismaClient, translateDatabaseError } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { JobKind } from './job.js';
import type { JobMetrics } from './job-metrics.js';
import { finishJob, type JobEnd, type JobRun, takeJob } from './job-runs.store.js';
import { JobEnded, JobImpossible, type JobWork } from './job-work.js';
import { runItems } from './run-items.js';
import { runWhole } from './run-whole.js';

/** What a job is run with. */
export interface RunParts {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly log: Logger;
  readonly clock: Clock;
  readonly metrics: JobMetrics;
}

/** How long and by whose leave a job runs: `stop` leaves it for the next runner, `cut` ends what is in hand. */
export interface JobSignals {
  readonly stop: AbortSignal;
  readonly cut: AbortSignal;
}

const cancelled: JobEnd = { state: 'cancelled', error: null };
const brokeOff: JobEnd = { state: 'error', error: 'It broke off; the log of the hub says why.' };

async function work(kind: JobKind, jobWork: JobWork): Promise<JobEnd> {
  if ('work' in kind) await runItems(kind, jobWork);
  const result = 'perform' in kind ? await runWhole(kind, jobWork) : undefined;
  return { state: 'done', error: null, ...(result && { result }) };
}

/** How a job ended that did not come to its end; undefined when it is another's now. Throws when it is to be gone on with. */
function endOf(error: unknown, { stop, cut }: JobSignals): JobEnd | undefined {
  if (stop.aborted) throw stop.reason;
  if (cut.aborted) return cancelled;
  if (error instanceof JobEnded) return error.turn === 'cancelled' ? cancelled : undefined;
  if (error instanceof JobImpossible) return { state: 'error', error: error.message };
  if (isTransient(error) || translateDatabaseError(error)) throw error;
  return brokeOff;
}

async function finish(
  { pool, log, metrics }: RunParts,
  kind: JobKind,
  run: JobRun,
  end: JobEnd,
): Promise<void> {
  const seconds = await finishJob(pool, run, kind.name, end);
  if (seconds === undefined) return;
  metrics.finished(kind.name, end.state, seconds);
  log.info({ job_id: run.jobId, kind: kind.name, state: end.state }, 'job finished');
}

/**
 * Runs the running job of a kind, if there is one, from where it stands to its end. Throws when it is to be gone on
 * with later: the service stops, or the database is away.
 */
export async function runJob(parts: RunParts, kind: JobKind, signals: JobSignals): Promise<void> {
  const { prisma, log, metrics } = parts;
  const runner = randomUUID();
  const job = await takeJob(prisma, kind.name, runner);
  if (!job) return;
  const run = { jobId: job.id, runner };
  const signal = AbortSignal.any([signals.stop, signals.cut]);
  const rest = metrics.begun(kind.name);
  try {
    await finish(parts, kind, run, await work(kind, { ...parts, job, run, signal }));
  } catch (error) {
    const end = endOf(error, signals);
    if (end === brokeOff) log.error({ err: error, job_id: job.id, kind: kind.name }, 'job broke off');
    if (end) await finish(parts, kind, run, end);
  } finally {
    rest();
  }
}
