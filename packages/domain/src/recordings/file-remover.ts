import { createLoop } from '@birdhub/shared/async';
import { inTransaction } from '@birdhub/shared/db';
import type pg from 'pg';
import type { Logger } from 'pino';
import { removeDerived } from '../media/derived-files.js';
import { removeRecordingFile } from '../media/recording-files.js';
import { type FileRemoval, settleRemovals, takeRemovals } from './file-removals.store.js';

const batchSize = 50;
const everyMs = 60_000;
const newest = Number.MAX_SAFE_INTEGER;

/** Removes the files of `file_removal`: what was written there is removed whatever happens in between. */
export interface FileRemover {
  /** Removes what was asked for last; a failure is logged, and tried again later. */
  removeLatest(): Promise<void>;
  /** Removes everything that was asked for so far, but for what fails. */
  removeAll(): Promise<void>;
  /** Works off what is left over now, and looks again every minute. */
  start(): void;
  stop(): Promise<void>;
}

/** What files are removed with. */
export interface FileRemoverDependencies {
  readonly pool: pg.Pool;
  readonly recordingsDir: string;
  readonly dataDir: string;
  readonly log: Logger;
}

/** Removes files in batches; each of several processes takes other ones. */
export function createFileRemover({
  pool,
  recordingsDir,
  dataDir,
  log,
}: FileRemoverDependencies): FileRemover {
  let isStopped = false;

  async function removeFile(path: string): Promise<void> {
    const outcome = await removeRecordingFile(recordingsDir, path);
    if (outcome === 'refused') log.warn({ path }, 'not removed, as it is no file of the recordings');
  }

  /** Whether that is done with. */
  async function remove({ path, derivedOf, isNamed }: FileRemoval): Promise<boolean> {
    try {
      if (derivedOf !== null) await removeDerived(dataDir, derivedOf);
      if (path !== null && !isNamed) await removeFile(path);
      return true;
    } catch (error) {
      log.warn({ err: error, path, derivedOf }, 'file not removed');
      return false;
    }
  }

  /** Answers the least id of those it took; undefined when there were none. */
  function removeBatch(belowId: number): Promise<number | undefined> {
    return inTransaction(pool, async (client) => {
      const removals = await takeRemovals(client, belowId, batchSize);
      const done: number[] = [];
      const failed: number[] = [];
      for (const removal of removals) ((await remove(removal)) ? done : failed).push(removal.id);
      if (removals.length) await settleRemovals(client, done, failed);
      return removals.at(-1)?.id;
    });
  }

  const logFailure = (error: unknown) => log.warn({ err: error }, 'files not removed');

  /** From the newest on, never looking at the same twice, so that a hundred thousand take a hundred times a thousand's time. */
  async function removeDown(): Promise<void> {
    let belowId: number | undefined = newest;
    while (!isStopped && belowId !== undefined) belowId = await removeBatch(belowId);
  }

  const loop = createLoop({ work: removeDown, everyMs, onError: logFailure });

  return {
    removeLatest: async () => {
      await removeBatch(newest).catch(logFailure);
    },
    removeAll: () => removeDown().catch(logFailure),
    start: () => loop.start(),
    async stop() {
      isStopped = true;
      await loop.stop();
    },
  };
}
