import type pg from 'pg';
import type { Logger } from 'pino';
import { inTransaction } from '../db/index.js';
import { removeRecordingFile } from '../media/index.js';
import { type FileRemoval, settleRemovals, takeRemovals } from './file-removals.store.js';

const batchSize = 50;
const everyMs = 60_000;

/** Removes the files of `file_removal`: what was written there is removed whatever happens in between. */
export interface FileRemover {
  /** Removes what was asked for last; a failure is logged, and tried again later. */
  removeLatest(): Promise<void>;
  /** Works off what is left over now, and looks again every minute. */
  start(): void;
  stop(): Promise<void>;
}

/** What files are removed with. */
export interface FileRemoverDependencies {
  readonly pool: pg.Pool;
  readonly recordingsDir: string;
  readonly log: Logger;
}

/** Removes files in batches; each of several processes takes other ones. */
export function createFileRemover({ pool, recordingsDir, log }: FileRemoverDependencies): FileRemover {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let working: Promise<void> | undefined;

  /** Whether that is done with. */
  async function remove({ path, isNamed }: FileRemoval): Promise<boolean> {
    if (isNamed) return true;
    try {
      const outcome = await removeRecordingFile(recordingsDir, path);
      if (outcome === 'refused') log.warn({ path }, 'not removed, as it is no file of the recordings');
      return true;
    } catch (error) {
      log.warn({ err: error, path }, 'file not removed');
      return false;
    }
  }

  /** Answers how many were taken. */
  function removeBatch(): Promise<number> {
    return inTransaction(pool, async (client) => {
      const removals = await takeRemovals(client, batchSize);
      const done: number[] = [];
      const failed: number[] = [];
      for (const removal of removals) ((await remove(removal)) ? done : failed).push(removal.id);
      if (removals.length) await settleRemovals(client, done, failed);
      return removals.length;
    });
  }

  const logFailure = (error: unknown) => log.warn({ err: error }, 'files not removed');

  async function removeAll(): Promise<void> {
    while (!isStopped && (await removeBatch()) > 0);
  }

  const work = () => {
    working ??= removeAll()
      .catch(logFailure)
      .finally(() => {
        working = undefined;
      });
  };

  return {
    removeLatest: async () => {
      await removeBatch().catch(logFailure);
    },
    start() {
      work();
      timer = setInterval(work, everyMs);
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await working;
    },
  };
}
