import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCode } from '@birdhub/shared/errors';
import { type JobProblem, jobProblem } from '../jobs/job-problems.js';
import { statMediaFile } from '../media/recording-files.js';
import { checkPathInRecordings, isRecordingPath, videoPathOf } from '../media/recording-path.js';

/** A video or audio file in the recordings tree. */
export interface FoundVideo {
  /** Relative to the tree. */
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
}

/** An unreadable entry of the tree. */
export interface Unreadable {
  readonly path: string;
  readonly reason: JobProblem;
}

/** Whether files may still be written. */
export interface WriterState {
  readonly recordingsDir: string;
  readonly now: number;
  /** Whether a processor is alive, which posts its new files itself. */
  readonly isProcessorAlive: boolean;
}

/** Time without changes after which a file counts as complete while a processor is alive. */
const settledMs = 60_000;
/** Videos that are being written change more often. */
const quietMs = 3_000;

/**
 * Yields the videos of a tree. Skips names that begin with a dot and does not follow links. A missing tree is empty.
 */
export async function* walkTree(root: string, folder = ''): AsyncGenerator<FoundVideo | Unreadable> {
  try {
    for await (const entry of await opendir(join(root, folder), { bufferSize: 256 })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (!entry.name.startsWith('.')) yield* describeEntry(root, path, entry);
    }
  } catch (error) {
    // The folder may have been deleted concurrently.
    if (errorCode(error) !== 'ENOENT') yield { path: folder, reason: inaccessible(error) };
  }
}

async function* describeEntry(
  root: string,
  path: string,
  entry: Dirent,
): AsyncGenerator<FoundVideo | Unreadable> {
  if (entry.isDirectory()) yield* walkTree(root, path);
  else if (!isRecordingPath(entry.name) && !entry.isSymbolicLink()) return;
  else if (entry.isFile()) yield await describeFile(root, path);
  else yield { path, reason: jobProblem(entry.isSymbolicLink() ? 'link' : 'not_a_file') };
}

async function describeFile(root: string, path: string): Promise<FoundVideo | Unreadable> {
  if (checkPathInRecordings(path) !== undefined) return { path, reason: jobProblem('name_refused') };
  try {
    const { size, mtimeMs } = await lstat(join(root, path));
    return size > 0 ? { path, size, modifiedMs: mtimeMs } : { path, reason: jobProblem('file_empty') };
  } catch (error) {
    return { path, reason: inaccessible(error) };
  }
}

/** Returns complete files that no processor will post; recent ones are checked twice. */
export async function findComplete(
  videos: readonly FoundVideo[],
  { recordingsDir, now, isProcessorAlive }: WriterState,
): Promise<FoundVideo[]> {
  const isOlder = ({ modifiedMs }: FoundVideo, ms: number) => now - modifiedMs > ms;
  const complete = videos.filter((video) => isOlder(video, isProcessorAlive ? settledMs : quietMs));
  const recent = isProcessorAlive ? [] : videos.filter((video) => !isOlder(video, quietMs));
  if (!recent.length) return complete;
  await pause(quietMs);
  const secondStats = await Promise.all(
    recent.map(({ path }) => statMediaFile(recordingsDir, videoPathOf(path))),
  );
  const isSame = ({ size, modifiedMs }: FoundVideo, at: number) =>
    secondStats[at]?.size === size && Math.floor(modifiedMs) === secondStats[at]?.modifiedMs;
  return [...complete, ...recent.filter(isSame)];
}

const inaccessible = (error: unknown) =>
  jobProblem('inaccessible', { code: errorCode(error) ?? String(error) });
