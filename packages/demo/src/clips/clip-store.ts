import { access, copyFile, link, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { type Clip, nameOf } from './clip.js';
import { type ClipTools, makeClip } from './make-clip.js';

/** Raised when clips are made in another way, so that none of the earlier way is taken. */
const edition = 2;
const maxEncoders = 2;

/** Makes the clips that a folder does not have yet; two at once. */
export async function prepareClips(
  folder: string,
  clips: readonly Clip[],
  tools: ClipTools,
): Promise<{ made: number }> {
  const limit = pLimit(maxEncoders);
  const different = [...new Map(clips.map((clip) => [nameOf(clip), clip])).values()];
  const made = await Promise.all(different.map((clip) => limit(() => prepareClip(folder, clip, tools))));
  return { made: made.filter(Boolean).length };
}

const underWay = new Map<string, Promise<boolean>>();

/** Makes a clip unless the folder has it; returns whether it was made. A clip is there whole or not at all. */
export function prepareClip(folder: string, clip: Clip, tools: ClipTools): Promise<boolean> {
  const file = clipFile(folder, clip);
  const known = underWay.get(file);
  if (known) return known.then(() => false);
  const work = makeOnce(folder, clip, tools).finally(() => underWay.delete(file));
  underWay.set(file, work);
  return work;
}

async function makeOnce(folder: string, clip: Clip, tools: ClipTools): Promise<boolean> {
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

/** Puts a prepared clip at a place of the recordings tree: a hard link, or a copy on another file system. */
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

/** Another file system, or one without hard links, or one whose owner forbids them. */
function cannotLink(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EXDEV' || code === 'EPERM' || code === 'ENOTSUP' || code === 'EMLINK';
}
