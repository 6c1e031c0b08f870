import { lstat, realpath, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { checkPathInRecordings, fileInRecordings } from './recording-path.js';

/** What became of a file: `refused` lies outside the recordings tree or is no file. */
export type FileRemoved = 'removed' | 'absent' | 'refused';

const absentCodes = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);
const keptCodes = new Set(['ENOTEMPTY', 'EEXIST', 'ENOENT', 'EACCES', 'EPERM', 'EBUSY', 'EROFS']);

/** Only the folder itself: a processor may be about to write into the one above. */
async function removeEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!keptCodes.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/**
 * Removes a file by its path inside the recordings tree; a link is removed itself and never followed. Fails when the tree is not
 * there, as it may be another time. A folder that is left empty goes too.
 */
export async function removeRecordingFile(recordingsDir: string, path: string): Promise<FileRemoved> {
  if (checkPathInRecordings(path) !== undefined) return 'refused';
  const root = await realpath(recordingsDir);
  const file = fileInRecordings(root, path);
  try {
    const folder = await realpath(dirname(file));
    if (folder !== root && !folder.startsWith(root + sep)) return 'refused';
    const found = join(folder, basename(file));
    if ((await lstat(found)).isDirectory()) return 'refused';
    await unlink(found);
    if (folder !== root) await removeEmpty(folder);
    return 'removed';
  } catch (error) {
    if (absentCodes.has((error as NodeJS.ErrnoException).code ?? '')) return 'absent';
    throw error;
  }
}
