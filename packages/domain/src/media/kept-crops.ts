import { createHash, randomUUID } from 'node:crypto';
import { readFile as readFileThen } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BestView } from './choose-frame.js';
import { derivedFolder } from './derived-files.js';
import type { MediaFile } from './open-media-file.js';

/** A picture of a detection: around its box, or without one the whole frame. */
export interface CropKey extends BestView {
  readonly videoId: number;
  readonly detectionId: number;
}

/** A small file costs half of what `fs/promises` takes, which makes an object that the garbage collector closes. */
const readFile = promisify(readFileThen);

/** Changes when other bytes are made of the same. */
const recipe = 1;

const cropFolder = (dataDir: string, videoId: number) => derivedFolder(dataDir, 'crops', videoId);
const prefixOf = (detectionId: number, kind: 'crop' | 'full') => `${detectionId}-${kind}-`;
const prefixOfCrop = ({ detectionId, box }: CropKey) => prefixOf(detectionId, box ? 'crop' : 'full');

/** What a crop depends on, as a name: another video, frame or box has another. */
export function cropName(
  crop: CropKey,
  { size, modifiedMs }: Pick<MediaFile, 'size' | 'modifiedMs'>,
): string {
  const parts = JSON.stringify([recipe, size, modifiedMs, crop.seconds, crop.box]);
  const hash = createHash('sha256').update(parts).digest('base64url').slice(0, 16);
  return `${prefixOfCrop(crop)}${hash}.jpg`;
}

async function whenThere<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The kept crop of a name; undefined when it is still to be made. */
export function readCrop(dataDir: string, { videoId }: CropKey, name: string): Promise<Buffer | undefined> {
  return whenThere(readFile(join(cropFolder(dataDir, videoId), name)));
}

/** The finished pictures of a folder whose names begin so. */
async function listPictures(folder: string, prefix: string): Promise<string[]> {
  const files = (await whenThere(readdir(folder))) ?? [];
  return files.filter((file) => file.startsWith(prefix) && file.endsWith('.jpg'));
}

/** Returns the names of all finished crops of a recording. */
export async function listKeptCrops(dataDir: string, videoId: number): Promise<ReadonlySet<string>> {
  return new Set(await listPictures(cropFolder(dataDir, videoId), ''));
}

/** Keeps a crop, whole or not at all, in place of those that were made before the video, frame or box changed. */
export async function keepCrop(dataDir: string, crop: CropKey, name: string, bytes: Buffer): Promise<void> {
  const folder = cropFolder(dataDir, crop.videoId);
  await mkdir(folder, { recursive: true });
  const unfinished = join(folder, `${name}.${randomUUID()}.part`);
  try {
    await writeFile(unfinished, bytes);
    await rename(unfinished, join(folder, name));
  } finally {
    await rm(unfinished, { force: true });
  }
  const alike = await listPictures(folder, prefixOfCrop(crop));
  await Promise.all(
    alike.filter((file) => file !== name).map((file) => rm(join(folder, file), { force: true })),
  );
}

/** The file of the crop that is kept of a detection, if any; its video may have been replaced since. */
export async function findKeptCrop(
  dataDir: string,
  videoId: number,
  detectionId: number,
): Promise<string | undefined> {
  const folder = cropFolder(dataDir, videoId);
  const [name] = await listPictures(folder, prefixOf(detectionId, 'crop'));
  return name === undefined ? undefined : join(folder, name);
}
