import { randomUUID } from 'node:crypto';
import { isTransient, translateDatabaseError } from '@birdhub/shared/db';
import type pg from 'pg';
import { isProgramMissing } from '../media/media-tools.js';
import type { ItemResult, Job, JobKind } from './job.js';
import { beginItem, endItem, finishJob, type JobEnd, type JobRun, listNext, takeJob } from './jobs.store.js';

const batchSize = 100;

/** A job that could do nothing with any recording, as what it works with is not there. */
class JobImpossible extends Error {
  override readonly name = 'JobImpossible';
}

/** How long and by whose leave a job runs: `stop` leaves it for the next runner, `cut` ends the recording in hand. */
export interface JobSignals {
  readonly stop: AbortSignal;
  readonly cut: AbortSignal;
}

/** One bad recording does not stop a job; a database that is away does, until it is back. */
function toFailure(error: unknown): ItemResult {
  if (!(error instanceof Error) || isTransient(error) || translateDatabaseError(error)) throw error;
  if (isProgramMissing(error)) throw new JobImpossible(error.message, { cause: error });
  return { outcome: 'failed', reason: error.message };
}

async function workOn(
  kind: JobKind,
  videoId: number,
  force: boolean,
  signals: JobSignals,
): Promise<ItemResult> {
  const signal = AbortSignal.any([signals.stop, signals.cut]);
  try {
    return await kind.work(videoId, { force, signal });
  } catch (error) {
    signal.throwIfAborted();
    return toFailure(error);
  }
}

/** Goes through the recordings from the position of the job; undefined when another runner has taken it over. */
async function goThrough(
  pool: pg.Pool,
  kind: JobKind,
  job: Job,
  run: JobRun,
  signals: JobSignals,
): Promise<JobEnd | undefined> {
  let { position } = job;
  for (;;) {
    const videoIds = await listNext(pool, job, position, batchSize);
    if (!videoIds.length) return { state: 'done', error: null };
    for (const videoId of videoIds) {
      signals.stop.throwIfAborted();
      const turn = await beginItem(pool, run, videoId);
      if (turn === 'lost') return undefined;
      if (turn === 'cancelled') return { state: 'cancelled', error: null };
      await endItem(pool, run, videoId, await workOn(kind, videoId, job.parameters.force, signals));
      position = videoId;
    }
  }
}

/**
 * Runs the running job of a kind, if there is one, from where it stands to its end. Throws when it is to be gone on
 * with later: the service stops, or the database is away.
 */
export async function runJob(pool: pg.Pool, kind: JobKind, signals: JobSignals): Promise<void> {
  const runner = randomUUID();
  const job = await takeJob(pool, kind.name, runner);
  if (!job) return;
  const run = { jobId: job.id, runner };
  try {
    const end = await goThrough(pool, kind, job, run, signals);
    if (end) await finishJob(pool, run, kind.name, end);
  } catch (error) {
    if (signals.stop.aborted) throw error;
    if (signals.cut.aborted)
      return await finishJob(pool, run, kind.name, { state: 'cancelled', error: null });
    if (!(error instanceof JobImpossible)) throw error;
    await finishJob(pool, run, kind.name, { state: 'error', error: error.message });
  }
}
