import { createHash } from 'node:crypto';
import { access, copyFile, link, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { clipArguments } from './clip-arguments.js';
import type { ClipVariant } from './clip-variants.js';
import { eachAtOnce } from './each-at-once.js';
import { runFfmpeg } from './ffmpeg.js';

const ENCODERS = 2;

/** Makes the clips that the folder does not have yet. A clip is there whole or not at all. */
export async function prepareClips(
  folder: string,
  clips: readonly ClipVariant[],
  signal?: AbortSignal,
): Promise<{ made: number }> {
  await mkdir(folder, { recursive: true });
  let made = 0;
  await eachAtOnce(clips, ENCODERS, async (clip) => {
    const file = clipFile(folder, clip);
    if (await exists(file)) return;
    const unfinished = `${file}.${process.pid}.part`;
    try {
      await runFfmpeg(clipArguments(clip, unfinished), signal);
      await rename(unfinished, file);
    } finally {
      await rm(unfinished, { force: true });
    }
    made += 1;
  });
  return { made };
}

/** Puts a prepared clip at a place of the recordings tree: a hard link, or a copy on another file system. */
export async function placeClip(folder: string, clip: ClipVariant, target: string): Promise<void> {
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

/** The name carries the recipe, so a clip made by other code is never taken for this one. */
function clipFile(folder: string, clip: ClipVariant): string {
  const recipe = createHash('sha256')
    .update(JSON.stringify(clipArguments(clip, '')))
    .digest('hex')
    .slice(0, 12);
  return join(folder, `${clip.name}-${recipe}.mp4`);
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
