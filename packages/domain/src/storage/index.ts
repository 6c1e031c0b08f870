import { statfs } from 'node:fs/promises';
import { errorCode } from '@birdhub/shared/errors';
import type pg from 'pg';
import type { Settings } from '../settings/schema.js';

export { hasKnownFiles, requireKnownFiles } from './known-files.js';
export { type FoundVideo, findComplete, type Unreadable, walkTree } from './recordings-tree.js';
export {
  expectedBytes,
  forgetPostedUploads,
  freshUploadMs,
  maxWaitingBytes,
  readWaitingUploads,
  recordUpload,
  removeWaitingUploads,
  renewUpload,
  type UploadedFile,
  type WaitingUploads,
  waitingUploadSql,
} from './uploaded-files.js';

/** Bytes of a decimal gigabyte. */
export const bytesPerGb = 1e9;

/** Returns the bytes to keep free on the disk of the recordings. */
export const minFreeBytes = ({ min_free_gb }: Pick<Settings['retention'], 'min_free_gb'>) =>
  min_free_gb * bytesPerGb;

/** Reads the free bytes of the disk of the recordings; undefined when it is on another machine. */
export type ReadFreeBytes = () => Promise<number | undefined>;

/** Returns a function that reads how many bytes unprivileged users can still write to the disk of a folder. */
export function readFreeBytesOf(folder: string): ReadFreeBytes {
  return async () => {
    try {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    } catch (error) {
      // The recordings are on another machine.
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  };
}

/** Stores whether the disk is full and nothing is left to delete. Returns whether that changed. */
export async function noteStorageState(pool: pg.Pool, isExhausted: boolean): Promise<boolean> {
  const { rowCount } = await pool.query(
    'UPDATE storage_state SET exhausted = $1, changed_at = now() WHERE exhausted <> $1',
    [isExhausted],
  );
  return rowCount === 1;
}

/** Returns whether the disk is full and nothing is left to delete. */
export async function isStorageExhausted(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ exhausted: boolean }>('SELECT exhausted FROM storage_state');
  return rows[0]?.exhausted ?? false;
}
