import { statfs } from 'node:fs/promises';
import { errorCode } from '@birdhub/shared/errors';
import type { Settings } from '../settings/schema.js';

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
