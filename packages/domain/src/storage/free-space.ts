import { statfs } from 'node:fs/promises';
import type { Settings } from '../settings/settings-schema.js';

/** As disks are sold. */
export const bytesPerGb = 1e9;

/** Bytes of the disk of the recordings that are to stay free. */
export const freeFloor = ({ min_free_gb }: Pick<Settings['retention'], 'min_free_gb'>) =>
  min_free_gb * bytesPerGb;

/** Reads how many bytes of the disk of the recordings are free; undefined when nobody can say. */
export type ReadFreeBytes = () => Promise<number | undefined>;

/** Reads what those who are not root may still write. */
export function readFreeBytesOf(folder: string): ReadFreeBytes {
  return async () => {
    try {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    } catch (error) {
      // A hub whose recordings are on another machine has no such folder, and no say in its disk.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };
}
