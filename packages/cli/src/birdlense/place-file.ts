import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, lstat, mkdir, realpath, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  type MediaFile,
  openMediaFile,
  pathInRecordings,
  recordingFile,
  videoPathOf,
} from '@birdhub/domain/media';
import { errorCode } from '@birdhub/shared/errors';

/** Source and target folders. */
export interface Trees {
  readonly from: string;
  readonly recordingsDir: string;
}

/**
 * The outcome for a file: `other` when a file of another size has its name, `outside` when a symbolic link leads out of
 * the source or target tree; nothing is copied in either case.
 */
export type Placed =
  | { readonly state: 'imported' | 'already present'; readonly sizeBytes: number }
  | { readonly state: 'missing' | 'other' | 'outside' };

type Source = MediaFile & { readonly path: string };

const noLinkCodes = new Set(['EXDEV', 'EPERM', 'EMLINK', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

const findRealPath = (path: string) => realpath(path).catch(() => undefined);

async function isInside(root: string, path: string): Promise<boolean> {
  const top = await realpath(root);
  return path === top || path.startsWith(top.endsWith(sep) ? top : top + sep);
}

/** Opens a file below the given folder, which is the recordings folder or one that contains it. */
async function openSource(from: string, videoPath: string): Promise<Source | 'outside' | undefined> {
  let isOutside = false;
  for (const candidate of [pathInRecordings(videoPath), videoPath]) {
    const path = await findRealPath(join(from, candidate));
    if (path === undefined) continue;
    const file = await openMediaFile(from, videoPathOf(candidate));
    if (file) return { ...file, path };
    isOutside ||= !(await isInside(from, path));
  }
  return isOutside ? 'outside' : undefined;
}

/** Whether a path refers to the open file itself. */
async function isSameFile(path: string, { handle }: Source): Promise<boolean> {
  const [named, opened] = await Promise.all([lstat(path, { bigint: true }), handle.stat({ bigint: true })]);
  return named.isFile() && named.ino === opened.ino && named.dev === opened.dev;
}

/** Creates a hard link, or a copy where links are not supported. Returns false if the source was replaced meanwhile. */
async function linkOrCopy(source: Source, target: string): Promise<boolean> {
  try {
    await link(source.path, target);
    return await isSameFile(target, source);
  } catch (error) {
    if (!noLinkCodes.has(errorCode(error) ?? '')) throw error;
  }
  const { atime, mtime } = await source.handle.stat();
  await pipeline(source.handle.createReadStream({ autoClose: false }), createWriteStream(target));
  await utimes(target, atime, mtime);
  return true;
}

/** Places a file atomically, so that the name never refers to an incomplete or replaced file. */
async function placeAtomically(source: Source, target: string): Promise<boolean> {
  const draft = `${target}.${randomUUID()}.part`;
  try {
    if (!(await linkOrCopy(source, draft))) return false;
    await rename(draft, target);
    return true;
  } finally {
    // Renaming one hard link to another of the same file does nothing and leaves the draft.
    await rm(draft, { force: true });
  }
}

async function findSize(recordingsDir: string, videoPath: string): Promise<number | undefined> {
  const file = await openMediaFile(recordingsDir, videoPath);
  await file?.handle.close();
  return file?.size;
}

async function placeSource({ recordingsDir }: Trees, videoPath: string, source: Source): Promise<Placed> {
  const sizeBytes = await findSize(recordingsDir, videoPath);
  if (sizeBytes !== undefined)
    return sizeBytes === source.size ? { state: 'already present', sizeBytes } : { state: 'other' };
  const target = recordingFile(recordingsDir, videoPath);
  await mkdir(dirname(target), { recursive: true });
  if (!(await isInside(recordingsDir, await realpath(dirname(target))))) return { state: 'outside' };
  return (await placeAtomically(source, target))
    ? { state: 'imported', sizeBytes: source.size }
    : { state: 'outside' };
}

/**
 * Places the file of a recording in the recordings tree: a hard link if possible, else a copy. Symbolic links are
 * followed within the source tree only.
 */
export async function placeFile(trees: Trees, videoPath: string): Promise<Placed> {
  const source = await openSource(trees.from, videoPath);
  if (source === 'outside') return { state: 'outside' };
  if (source === undefined) {
    const sizeBytes = await findSize(trees.recordingsDir, videoPath);
    return sizeBytes === undefined ? { state: 'missing' } : { state: 'already present', sizeBytes };
  }
  try {
    return await placeSource(trees, videoPath, source);
  } finally {
    await source.handle.close();
  }
}
