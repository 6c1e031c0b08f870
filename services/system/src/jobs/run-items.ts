import { isProgramMissing } from '@birdhub/domain/media';
import { isTransient, translateDatabaseError } from '@birdhub/shared/db';
import type { ItemJobKind, ItemResult } from './job.js';
import { beginItem, endItem, listNext } from './job-runs.store.js';
import { JobEnded, JobImpossible, type JobWork } from './job-work.js';

const batchSize = 100;

/** What an error of the file system says names places of the host. */
function reasonOf(error: Error): string {
  const isOfSystem = 'syscall' in error && 'code' in error;
  return isOfSystem ? `its files cannot be used: ${error.code}` : error.message;
}

/** One bad recording does not stop a job; a database that is away does, until it is back. */
function toFailure(error: unknown): ItemResult {
  if (!(error instanceof Error) || isTransient(error) || translateDatabaseError(error)) throw error;
  if (isProgramMissing(error)) throw new JobImpossible(error.message, { cause: error });
  return { outcome: 'failed', reason: reasonOf(error) };
}

async function workOn(kind: ItemJobKind, videoId: number, { job, signal }: JobWork): Promise<ItemResult> {
  const force = 'force' in job.parameters && job.parameters.force;
  try {
    return await kind.work(videoId, { force, signal });
  } catch (error) {
    signal.throwIfAborted();
    return toFailure(error);
  }
}

/** Goes through the recordings of a job from its position on. */
export async function runItems(kind: ItemJobKind, work: JobWork): Promise<void> {
  const { pool, job, run, signal, metrics } = work;
  let { position } = job;
  for (;;) {
    const videoIds = await listNext(pool, job, position, batchSize);
    if (!videoIds.length) return;
    for (const videoId of videoIds) {
      signal.throwIfAborted();
      const turn = await beginItem(pool, run, videoId);
      if (turn !== 'go') throw new JobEnded(turn);
      const result = await workOn(kind, videoId, work);
      await endItem(pool, run, videoId, result);
      metrics.items(kind.name, result.outcome, 1);
      position = videoId;
    }
  }
}
