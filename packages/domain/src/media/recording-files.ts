import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath, rmdir, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { errorCode } from '@birdhub/shared/errors';
import {
  checkPathInRecordings,
  fileInRecordings,
  pathInRecordings,
  recordingFile,
} from './recording-path.js';

/** An open file of the recordings tree; the caller closes it. */
export interface MediaFile {
  readonly handle: FileHandle;
  readonly size: number;
  readonly modifiedMs: number;
  /** Strong entity tag. */
  readonly etag: string;
}

const missingCodes = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EISDIR', 'EACCES', 'ENXIO']);

const isMissing = (error: unknown) => missingCodes.has(errorCode(error) ?? '');

/** Does not block on a pipe without a writer. */
const openFlags = constants.O_RDONLY | constants.O_NONBLOCK;

async function describeFile(root: string, path: string, handle: FileHandle): Promise<MediaFile | undefined> {
  const found = await handle.stat({ bigint: true });
  const [realRoot, realPath] = await Promise.all([realpath(root), realpath(path)]);
  if (!found.isFile() || !realPath.startsWith(realRoot + sep)) return undefined;
  // The path may name another file by now, so only the open file is trusted.
  const current = await stat(realPath, { bigint: true });
  if (current.ino !== found.ino || current.dev !== found.dev) return undefined;
  const parts = [found.size, found.mtimeNs, found.ino];
  const etag = `"${parts.map((part) => part.toString(36)).join('-')}"`;
  return { handle, size: Number(found.size), modifiedMs: Number(found.mtimeMs), etag };
}

/**
 * Opens the file of a recording. Returns undefined when it is missing, not a regular file, or a link that leads out of
 * the tree.
 */
export async function openMediaFile(root: string, videoPath: string): Promise<MediaFile | undefined> {
  const path = recordingFile(root, videoPath);
  let handle: FileHandle | undefined;
  let file: MediaFile | undefined;
  try {
    handle = await open(path, openFlags);
    file = await describeFile(root, path, handle);
    return file;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  } finally {
    if (!file) await handle?.close();
  }
}

/**
 * Returns size and modification time of the file of a recording, even if a link leads out of the tree; undefined when it
 * is missing, or its path is not in the tree.
 */
export async function statMediaFile(
  root: string,
  videoPath: string,
): Promise<Pick<MediaFile, 'size' | 'modifiedMs'> | undefined> {
  if (checkPathInRecordings(pathInRecordings(videoPath)) !== undefined) return undefined;
  try {
    const found = await stat(recordingFile(root, videoPath), { bigint: true });
    return found.isFile() ? { size: Number(found.size), modifiedMs: Number(found.mtimeMs) } : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Returns whether the file of a recording exists. */
export async function hasMediaFile(root: string, videoPath: string): Promise<boolean> {
  return (await statMediaFile(root, videoPath)) !== undefined;
}

/** Result of removing a file: `refused` when it is outside the recordings tree or not a file. */
export type FileRemoved = 'removed' | 'absent' | 'refused';

const absentCodes = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);
const keptCodes = new Set(['ENOTEMPTY', 'EEXIST', 'ENOENT', 'EACCES', 'EPERM', 'EBUSY', 'EROFS']);

/** Removes a folder if it is empty. Its parents are kept, because a processor may be about to write into them. */
async function removeEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!keptCodes.has(errorCode(error) ?? '')) throw error;
  }
}

/**
 * Removes a file by its path inside the recordings tree, and its folder if that is then empty. Links are removed, not
 * followed. Throws when the tree itself is missing, because it may be mounted later.
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
    if (absentCodes.has(errorCode(error) ?? '')) return 'absent';
    throw error;
  }
}
