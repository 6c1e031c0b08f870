import { access, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { posterFile } from '@birdhub/domain/media';
import { writeWhole } from './write-whole.js';

/** Whether a recording has a poster. */
export async function hasPoster(dataDir: string, videoId: number): Promise<boolean> {
  return access(posterFile(dataDir, videoId)).then(
    () => true,
    () => false,
  );
}

/** Keeps the poster of a recording in place of an earlier one. */
export async function keepPoster(dataDir: string, videoId: number, bytes: Buffer): Promise<void> {
  const path = posterFile(dataDir, videoId);
  await mkdir(dirname(path), { recursive: true });
  await writeWhole(path, bytes);
}
