import { constants } from 'node:fs';
import { copyFile, link, mkdir, realpath, rename, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathInRecordings, recordingFile, statMediaFile } from '@birdhub/shared/media';

/** Where files come from, and where they belong. */
export interface Trees {
  readonly from: string;
  readonly recordingsDir: string;
}

/** What became of a file; `other` when a file of another size is in its place. */
export type Placed =
  | { readonly state: 'taken' | 'there'; readonly sizeBytes: number }
  | { readonly state: 'missing' | 'other' };

const noLinkCodes = new Set(['EXDEV', 'EPERM', 'EMLINK', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** People name the folder of the recordings, or one that it is in. */
async function findSource(from: string, path: string) {
  for (const candidate of new Set([pathInRecordings(path), `./${path}`])) {
    const file = join(from, candidate);
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile()) return { file, size: found.size };
  }
  return undefined;
}

/** A whole file or none: a copy that is cut short never has the name. */
async function copyWhole(source: string, target: string): Promise<void> {
  const { atime, mtime } = await stat(source);
  const part = `${target}.part`;
  await copyFile(source, part, constants.COPYFILE_FICLONE);
  await utimes(part, atime, mtime);
  await rename(part, target);
}

async function linkOrCopy(given: string, target: string): Promise<void> {
  // A link to a symbolic link would be one.
  const source = await realpath(given);
  await mkdir(dirname(target), { recursive: true });
  try {
    await link(source, target);
  } catch (error) {
    if (!noLinkCodes.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await copyWhole(source, target);
  }
}

/** Brings the file of a path into the recordings tree: a second name of it where the disk allows, else a copy. */
export async function placeFile({ from, recordingsDir }: Trees, path: string): Promise<Placed> {
  const there = await statMediaFile(recordingsDir, path);
  const source = await findSource(from, path);
  if (there && source && source.size !== there.size) return { state: 'other' };
  if (there) return { state: 'there', sizeBytes: there.size };
  if (!source) return { state: 'missing' };
  await linkOrCopy(source.file, recordingFile(recordingsDir, path));
  return { state: 'taken', sizeBytes: source.size };
}
