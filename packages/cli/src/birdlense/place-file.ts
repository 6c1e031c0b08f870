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

/** Where files come from, and where they belong. */
export interface Trees {
  readonly from: string;
  readonly recordingsDir: string;
}

/**
 * What became of a file: `other` when a file of another size is in its place, `outside` when a link leads out of the
 * tree that it comes from or belongs into; then nothing was taken.
 */
export type Placed =
  | { readonly state: 'taken' | 'there'; readonly sizeBytes: number }
  | { readonly state: 'missing' | 'other' | 'outside' };

type Source = MediaFile & { readonly path: string };

const noLinkCodes = new Set(['EXDEV', 'EPERM', 'EMLINK', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

const findReal = (path: string) => realpath(path).catch(() => undefined);

async function isInside(root: string, path: string): Promise<boolean> {
  const top = await realpath(root);
  return path === top || path.startsWith(top.endsWith(sep) ? top : top + sep);
}

/** Opens a file below the given folder, which is the recordings folder or one that contains it. */
async function openSource(from: string, videoPath: string): Promise<Source | 'outside' | undefined> {
  let isOutside = false;
  for (const candidate of [pathInRecordings(videoPath), videoPath]) {
    const path = await findReal(join(from, candidate));
    if (path === undefined) continue;
    const file = await openMediaFile(from, videoPathOf(candidate));
    if (file) return { ...file, path };
    isOutside ||= !(await isInside(from, path));
  }
  return isOutside ? 'outside' : undefined;
}

/** Whether a path is a second name of what is open, and no link to something else. */
async function isNameOf(path: string, { handle }: Source): Promise<boolean> {
  const [named, opened] = await Promise.all([lstat(path, { bigint: true }), handle.stat({ bigint: true })]);
  return named.isFile() && named.ino === opened.ino && named.dev === opened.dev;
}

/** A second name where the disk allows, else a copy. False when something else is under the name by now. */
async function linkOrCopy(source: Source, target: string): Promise<boolean> {
  try {
    await link(source.path, target);
    return await isNameOf(target, source);
  } catch (error) {
    if (!noLinkCodes.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  const { atime, mtime } = await source.handle.stat();
  await pipeline(source.handle.createReadStream({ autoClose: false }), createWriteStream(target));
  await utimes(target, atime, mtime);
  return true;
}

/** A whole file or none: what is cut short, or is not what was looked at, never has the name. */
async function bringIn(source: Source, target: string): Promise<boolean> {
  const draft = `${target}.${randomUUID()}.part`;
  try {
    if (!(await linkOrCopy(source, draft))) return false;
    await rename(draft, target);
    return true;
  } finally {
    // Still there after the renaming, too, when both are names of the same file.
    await rm(draft, { force: true });
  }
}

async function findSize(recordingsDir: string, videoPath: string): Promise<number | undefined> {
  const file = await openMediaFile(recordingsDir, videoPath);
  await file?.handle.close();
  return file?.size;
}

async function placeSource({ recordingsDir }: Trees, videoPath: string, source: Source): Promise<Placed> {
  const there = await findSize(recordingsDir, videoPath);
  if (there !== undefined)
    return there === source.size ? { state: 'there', sizeBytes: there } : { state: 'other' };
  const target = recordingFile(recordingsDir, videoPath);
  await mkdir(dirname(target), { recursive: true });
  if (!(await isInside(recordingsDir, await realpath(dirname(target))))) return { state: 'outside' };
  return (await bringIn(source, target)) ? { state: 'taken', sizeBytes: source.size } : { state: 'outside' };
}

/**
 * Brings the file of a recording into the recordings tree: a second name of it where the disk allows, else a copy.
 * Links are followed within the tree that it comes from and never out of it.
 */
export async function placeFile(trees: Trees, videoPath: string): Promise<Placed> {
  const source = await openSource(trees.from, videoPath);
  if (source === 'outside') return { state: 'outside' };
  if (source === undefined) {
    const there = await findSize(trees.recordingsDir, videoPath);
    return there === undefined ? { state: 'missing' } : { state: 'there', sizeBytes: there };
  }
  try {
    return await placeSource(trees, videoPath, source);
  } finally {
    await source.handle.close();
  }
}
