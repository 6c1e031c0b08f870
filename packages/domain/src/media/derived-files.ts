import { createHash, randomUUID } from 'node:crypto';
import { readFile as readFileWithCallback } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode, undefinedIfMissing } from '@birdhub/shared/errors';
import type { BestView } from './boxes.js';
import type { MediaFile } from './recording-files.js';
import type { SoundSpan } from './sound-picture.js';

const recordingsPerFolder = 1_000;

/**
 * Returns the folder of the derived files of one kind, such as `crops`: each recording has its own below
 * `DATA_DIR/derived`, so that the files can be removed with it.
 */
export function derivedFolder(dataDir: string, kind: string, videoId: number): string {
  return join(dataDir, 'derived', kind, String(Math.floor(videoId / recordingsPerFolder)), String(videoId));
}

async function listKinds(dataDir: string): Promise<string[]> {
  try {
    const entries = await readdir(join(dataDir, 'derived'), { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch (error) {
    // Fails with ENOTDIR, so that the removal is tried again later.
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Removes all derived files of a recording; they can be recreated as long as its own file exists. */
export async function removeDerived(dataDir: string, videoId: number): Promise<void> {
  for (const kind of await listKinds(dataDir)) {
    await rm(derivedFolder(dataDir, kind, videoId), { recursive: true, force: true });
  }
}

/** Returns the path of the poster of a recording, whether or not it exists. */
export function posterFile(dataDir: string, videoId: number): string {
  return join(derivedFolder(dataDir, 'posters', videoId), 'poster.jpg');
}

/** Removes the resized copies of the poster of a recording; called when a new poster is stored. */
export async function removeSizedPosters(dataDir: string, videoId: number): Promise<void> {
  const folder = derivedFolder(dataDir, 'posters', videoId);
  const copies = ((await undefinedIfMissing(readdir(folder))) ?? []).filter((file) => file.endsWith('.webp'));
  await Promise.all(copies.map((file) => rm(join(folder, file), { force: true })));
}

/** A picture of a detection: its box or, without one, the whole frame; for audio, a part of the spectrogram. */
export interface CropKey extends BestView {
  readonly videoId: number;
  readonly detectionId: number;
  /** The part of the sound, in seconds from the start of the recording. */
  readonly sound?: SoundSpan;
}

/** For small files twice as fast as `fs/promises`, because it creates no `FileHandle`. */
const readFile = promisify(readFileWithCallback);

/** Increment when the same view produces different bytes. */
const recipeVersion = 1;

const cropFolder = (dataDir: string, videoId: number) => derivedFolder(dataDir, 'crops', videoId);
const prefixOf = (detectionId: number, kind: 'crop' | 'full' | 'sound') => `${detectionId}-${kind}-`;
const prefixOfCrop = ({ detectionId, box, sound }: CropKey) =>
  prefixOf(detectionId, sound ? 'sound' : box ? 'crop' : 'full');

/** Returns the file name of a crop, which contains a hash of the video file, frame and box. */
export function cropName(
  crop: CropKey,
  { size, modifiedMs }: Pick<MediaFile, 'size' | 'modifiedMs'>,
): string {
  const parts = JSON.stringify([
    recipeVersion,
    size,
    modifiedMs,
    crop.seconds,
    crop.box,
    ...(crop.sound ? [crop.sound] : []),
  ]);
  const hash = createHash('sha256').update(parts).digest('base64url').slice(0, 16);
  return `${prefixOfCrop(crop)}${hash}.jpg`;
}

const stemOf = (name: string) => name.replace(/jpg$/, '');

/** Reads a stored crop; undefined when it does not exist yet. */
export function readCrop(dataDir: string, { videoId }: CropKey, name: string): Promise<Buffer | undefined> {
  return undefinedIfMissing(readFile(join(cropFolder(dataDir, videoId), name)));
}

/** Lists the finished pictures of a folder whose names have a prefix. */
async function listPictures(folder: string, prefix: string): Promise<string[]> {
  const files = (await undefinedIfMissing(readdir(folder))) ?? [];
  return files.filter((file) => file.startsWith(prefix) && file.endsWith('.jpg'));
}

/** Returns the names of all stored crops of a recording. */
export async function listStoredCrops(dataDir: string, videoId: number): Promise<ReadonlySet<string>> {
  return new Set(await listPictures(cropFolder(dataDir, videoId), ''));
}

/** Returns the path of a crop, whether or not it exists. */
export const cropFile = (dataDir: string, { videoId }: CropKey, name: string): string =>
  join(cropFolder(dataDir, videoId), name);

/** Stores a crop atomically and removes outdated ones of the detection, with their resized copies. */
export async function storeCrop(dataDir: string, crop: CropKey, name: string, bytes: Buffer): Promise<void> {
  const folder = cropFolder(dataDir, crop.videoId);
  await mkdir(folder, { recursive: true });
  const unfinished = join(folder, `${name}.${randomUUID()}.part`);
  try {
    await writeFile(unfinished, bytes);
    await rename(unfinished, join(folder, name));
  } finally {
    await rm(unfinished, { force: true });
  }
  const stored = (await readdir(folder)).filter((file) => file.startsWith(prefixOfCrop(crop)));
  const outdated = stored.filter((file) => !file.endsWith('.part') && !file.startsWith(stemOf(name)));
  await Promise.all(outdated.map((file) => rm(join(folder, file), { force: true })));
}

/** Finds the stored crop of a detection, even if its video has been replaced since. */
export async function findStoredCrop(
  dataDir: string,
  videoId: number,
  detectionId: number,
): Promise<string | undefined> {
  const folder = cropFolder(dataDir, videoId);
  const [name] = await listPictures(folder, prefixOf(detectionId, 'crop'));
  return name === undefined ? undefined : join(folder, name);
}
