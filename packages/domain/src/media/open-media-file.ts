import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { recordingFile } from './recording-path.js';

/** An open file of the recordings tree; whoever has it closes it. */
export interface MediaFile {
  readonly handle: FileHandle;
  readonly size: number;
  readonly modifiedMs: number;
  /** Strong entity tag. */
  readonly etag: string;
}

const notThereCodes = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EISDIR', 'EACCES', 'ENXIO']);

const isNotThere = (error: unknown) => notThereCodes.has((error as NodeJS.ErrnoException).code ?? '');

/** Without waiting for a writer, should it be a pipe. */
const openFlags = constants.O_RDONLY | constants.O_NONBLOCK;

async function describeFile(root: string, path: string, handle: FileHandle): Promise<MediaFile | undefined> {
  const found = await handle.stat({ bigint: true });
  const [realRoot, realPath] = await Promise.all([realpath(root), realpath(path)]);
  if (!found.isFile() || !realPath.startsWith(realRoot + sep)) return undefined;
  // The path may have been exchanged since; what is open must be what was looked at.
  const looked = await stat(realPath, { bigint: true });
  if (looked.ino !== found.ino || looked.dev !== found.dev) return undefined;
  const parts = [found.size, found.mtimeNs, found.ino];
  const etag = `"${parts.map((part) => part.toString(36)).join('-')}"`;
  return { handle, size: Number(found.size), modifiedMs: Number(found.mtimeMs), etag };
}

/**
 * Opens the file of a recording's path. Undefined when there is none: nothing of that name, no plain file, or one
 * that lies outside the tree behind a link.
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
    if (isNotThere(error)) return undefined;
    throw error;
  } finally {
    if (!file) await handle?.close();
  }
}

/** Size and age of the file of a recording's path, without looking where it lies; undefined when there is none. */
export async function statMediaFile(
  root: string,
  videoPath: string,
): Promise<Pick<MediaFile, 'size' | 'modifiedMs'> | undefined> {
  try {
    const found = await stat(recordingFile(root, videoPath), { bigint: true });
    return found.isFile() ? { size: Number(found.size), modifiedMs: Number(found.mtimeMs) } : undefined;
  } catch (error) {
    if (isNotThere(error)) return undefined;
    throw error;
  }
}

/** Whether the file of a recording's path has arrived. */
export async function hasMediaFile(root: string, videoPath: string): Promise<boolean> {
  return (await statMediaFile(root, videoPath)) !== undefined;
}
