import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createLoop, type Loop } from '@birdhub/shared/async';
import { inTransaction } from '@birdhub/shared/db';
import { errorCode, isMissingFile } from '@birdhub/shared/errors';
import type pg from 'pg';
import type { Logger } from 'pino';
import { removeDerived } from '../media/derived-files.js';
import { removeRecordingFile } from '../media/recording-files.js';
import {
  checkPathInRecordings,
  namesFile,
  pathInRecordings,
  recordingFile,
} from '../media/recording-path.js';
import { createMountCheck, type MountCheck } from '../storage/known-files.js';

const batchSize = 50;
const intervalMs = 60_000;
/** Error codes of folders from which nothing may be removed. */
const deniedCodes: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);
const maxLoggedFolders = 1_000;
/** Above every id. */
const maxId = Number.MAX_SAFE_INTEGER;

/** Dependencies of the file remover. */
export interface FileRemoverDeps {
  readonly pool: pg.Pool;
  readonly recordingsDir: string;
  readonly dataDir: string;
  readonly log: Logger;
}

/** Removes the files that `file_removal` lists, in batches; concurrent processes take different ones. */
export class FileRemover {
  readonly #deps: FileRemoverDeps;
  readonly #loop: Loop;
  /** Folders that were logged as not writable. */
  readonly #logged = new Set<string>();
  #isStopped = false;

  constructor(deps: FileRemoverDeps) {
    this.#deps = deps;
    this.#loop = createLoop({
      work: () => this.#removeListed(),
      everyMs: intervalMs,
      onError: (error) => this.#logFailure(error),
    });
  }

  /** Removes the latest batch of listed files; failures are logged and retried later. */
  async removeLatest(): Promise<void> {
    const requireMounted = createMountCheck(this.#deps.recordingsDir);
    await this.#removeBatch(maxId, requireMounted).catch((error) => this.#logFailure(error));
  }

  /** Removes all listed files except those that fail. */
  removeAll(): Promise<void> {
    return this.#removeListed().catch((error) => this.#logFailure(error));
  }

  /**
   * Whether the folder of a recording exists and the hub may remove files from it. Logs each folder from which it may not
   * once.
   */
  async canRemove(videoPath: string): Promise<boolean> {
    const { recordingsDir, log } = this.#deps;
    if (checkPathInRecordings(pathInRecordings(videoPath)) !== undefined) return false;
    const folder = dirname(recordingFile(recordingsDir, videoPath));
    try {
      await access(folder, constants.W_OK | constants.X_OK);
      return true;
    } catch (error) {
      if (isMissingFile(error)) return false;
      if (!deniedCodes.has(errorCode(error) ?? '')) return true;
      if (this.#logged.has(folder) || this.#logged.size >= maxLoggedFolders) return false;
      this.#logged.add(folder);
      log.warn({ err: error, path: videoPath }, 'recording kept, as its file cannot be removed');
      return false;
    }
  }

  /** Removes all listed files now and every minute. */
  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#loop.stop();
  }

  /** Proceeds from the newest to the oldest, so that each row is read once. */
  async #removeListed(): Promise<void> {
    const requireMounted = createMountCheck(this.#deps.recordingsDir);
    let belowId: number | undefined = maxId;
    while (!this.#isStopped && belowId !== undefined)
      belowId = await this.#removeBatch(belowId, requireMounted);
  }

  /** Returns the lowest id of the batch; undefined when no removal is left. */
  #removeBatch(belowId: number, requireMounted: MountCheck): Promise<number | undefined> {
    return inTransaction(this.#deps.pool, async (client) => {
      const removals = await claimRemovals(client, belowId, batchSize);
      const done: number[] = [];
      const failed: number[] = [];
      let isAnyRemoved = false;
      for (const removal of removals) {
        const outcome = await this.#remove(removal, () => requireMounted(client));
        (outcome === 'failed' ? failed : done).push(removal.id);
        isAnyRemoved ||= outcome === 'removed';
      }
      if (removals.length) await settleRemovals(client, done, failed);
      if (isAnyRemoved) await client.query('UPDATE storage_state SET removed_at = now()');
      return removals.at(-1)?.id;
    });
  }

  /** Returns `removed` when a file of the recordings tree was removed, `done` when there is none to remove. */
  async #remove(
    { path, derivedOf, isInUse, isRetry }: FileRemoval,
    requireMounted: () => Promise<void>,
  ): Promise<'removed' | 'done' | 'failed'> {
    const { dataDir, recordingsDir, log } = this.#deps;
    try {
      if (derivedOf !== null) await removeDerived(dataDir, derivedOf);
      if (path === null || isInUse) return 'done';
      const outcome = await removeRecordingFile(recordingsDir, path);
      if (outcome === 'absent') await requireMounted();
      if (outcome === 'refused') log.warn({ path }, 'file not removed: not a file in the recordings tree');
      return outcome === 'removed' ? 'removed' : 'done';
    } catch (error) {
      const message = 'file not removed, trying again later';
      log[isRetry ? 'debug' : 'warn']({ err: error, path, derivedOf }, message);
      return 'failed';
    }
  }

  #logFailure(error: unknown): void {
    this.#deps.log.warn({ err: error }, 'files not removed');
  }
}

/** A file to be removed, or all derived files of a recording. */
interface FileRemoval {
  readonly id: number;
  /** Inside the recordings tree. */
  readonly path: string | null;
  /** The recording whose derived files are removed; null for a file. */
  readonly derivedOf: number | null;
  /** Whether another recording still uses the file, as the recordings of two cameras may have the same path. */
  readonly isInUse: boolean;
  /** Whether an earlier attempt failed. */
  readonly isRetry: boolean;
}

const usesPath = (column: string) => `${namesFile(column, 'path')} AND media <> 'purged'`;

const claimSql = `
  SELECT removal.id, path, derived_of AS "derivedOf", tried_at IS NOT NULL AS "isRetry",
    EXISTS (SELECT FROM (SELECT '' AS id UNION ALL SELECT id FROM camera) any_camera
      JOIN video ON video.camera_id = any_camera.id AND ${usesPath('video_path')})
    OR EXISTS (SELECT FROM video WHERE ${usesPath('spectrogram_path')}) AS "isInUse"
  FROM file_removal removal
  WHERE removal.id < $2 AND (tried_at IS NULL OR tried_at < now() - interval '10 minutes')
  ORDER BY removal.id DESC LIMIT $1 FOR UPDATE OF removal SKIP LOCKED`;

/** Locks the newest removals below an id, except recent failures and those that another process has locked. */
async function claimRemovals(client: pg.ClientBase, belowId: number, limit: number): Promise<FileRemoval[]> {
  const { rows } = await client.query<FileRemoval>(claimSql, [limit, belowId]);
  return rows;
}

/** Deletes finished removals; failed ones are retried later. */
async function settleRemovals(
  client: pg.ClientBase,
  done: readonly number[],
  failed: readonly number[],
): Promise<void> {
  await client.query(
    `WITH done AS (DELETE FROM file_removal WHERE id = ANY ($1::bigint[]))
     UPDATE file_removal SET tried_at = now() WHERE id = ANY ($2::bigint[])`,
    [done, failed],
  );
}
