import { access, copyFile, link, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { type Clip, nameOf } from './clip.js';
import { type ClipTools, makeClip } from './make-clip.js';

/** Increment when the same clip results in a different file, so that files of earlier versions are not used. */
const edition = 2;
const maxEncoders = 2;

/** Makes the clips that are missing in a folder, two at a time. */
export async function prepareClips(
  folder: string,
  clips: readonly Clip[],
  tools: ClipTools,
): Promise<{ made: number }> {
  const limit = pLimit(maxEncoders);
  const distinct = [...new Map(clips.map((clip) => [nameOf(clip), clip])).values()];
  const made = await Promise.all(distinct.map((clip) => limit(() => prepareClip(folder, clip, tools))));
  return { made: made.filter(Boolean).length };
}

const inFlight = new Map<string, Promise<boolean>>();

/** Makes a clip unless it exists in the folder; returns whether it was made. Its file is written atomically. */
export function prepareClip(folder: string, clip: Clip, tools: ClipTools): Promise<boolean> {
  const file = clipFile(folder, clip);
  const known = inFlight.get(file);
  if (known) return known.then(() => false);
  const work = makeIfMissing(folder, clip, tools).finally(() => inFlight.delete(file));
  inFlight.set(file, work);
  return work;
}

async function makeIfMissing(folder: string, clip: Clip, tools: ClipTools): Promise<boolean> {
  const file = clipFile(folder, clip);
  if (await exists(file)) return false;
  await mkdir(folder, { recursive: true });
  const unfinished = `${file}.${process.pid}.part`;
  try {
    await makeClip(clip, unfinished, tools);
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
  return true;
}

/** Adds a prepared clip to the recordings tree, as a hard link, or as a copy on another file system. */
export async function placeClip(folder: string, clip: Clip, target: string): Promise<void> {
  const source = clipFile(folder, clip);
  await mkdir(dirname(target), { recursive: true });
  if (await isSameFile(source, target)) return;
  await rm(target, { force: true });
  try {
    await link(source, target);
  } catch (error) {
    if (!cannotLink(error)) throw error;
    await copyFile(source, `${target}.part`);
    await rename(`${target}.part`, target);
  }
}

function clipFile(folder: string, clip: Clip): string {
  return join(folder, `${nameOf(clip)}-${edition}.mp4`);
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

async function isSameFile(source: string, target: string): Promise<boolean> {
  if (!(await exists(target))) return false;
  const [one, other] = await Promise.all([stat(source), stat(target)]);
  return one.ino === other.ino && one.dev === other.dev;
}

/** Returns whether hard links are impossible: on another file system, not supported, or not permitted. */
function cannotLink(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EXDEV' || code === 'EPERM' || code === 'ENOTSUP' || code === 'EMLINK';
}
