import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { checkPathInRecordings } from '@birdhub/domain/media';

/** A video of the recordings tree. */
export interface FoundVideo {
  /** Inside the tree. */
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
}

/** Something of the tree that nobody can look into. */
export interface Unreadable {
  readonly path: string;
  readonly reason: string;
}

const videoName = /\.(mp4|mkv|webm)$/i;

const reasonOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? String(error);
const isAbsent = (error: unknown) => reasonOf(error) === 'ENOENT';

async function look(root: string, path: string): Promise<FoundVideo | Unreadable> {
  const problem = checkPathInRecordings(path);
  if (problem !== undefined) return { path, reason: `its name ${problem}` };
  try {
    const { size, mtimeMs } = await lstat(join(root, path));
    return size > 0 ? { path, size, modifiedMs: mtimeMs } : { path, reason: 'it is empty' };
  } catch (error) {
    return { path, reason: reasonOf(error) };
  }
}

async function* lookAt(root: string, path: string, entry: Dirent): AsyncGenerator<FoundVideo | Unreadable> {
  if (entry.isDirectory()) yield* walkTree(root, path);
  else if (!videoName.test(entry.name) && !entry.isSymbolicLink()) return;
  else if (entry.isFile()) yield await look(root, path);
  else yield { path, reason: entry.isSymbolicLink() ? 'it is a link' : 'it is no file' };
}

/**
 * Finds the videos of a tree, one after the other; names that begin with a dot are passed over, links never followed.
 * A tree that is not there has none.
 */
export async function* walkTree(root: string, folder = ''): AsyncGenerator<FoundVideo | Unreadable> {
  try {
    for await (const entry of await opendir(join(root, folder), { bufferSize: 256 })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (!entry.name.startsWith('.')) yield* lookAt(root, path, entry);
    }
  } catch (error) {
    // A folder that goes while it is looked at is no news.
    if (!isAbsent(error)) yield { path: folder, reason: reasonOf(error) };
  }
}
