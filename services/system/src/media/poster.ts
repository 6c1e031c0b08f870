import { access, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { posterFile, type ToolWork } from '@birdhub/shared/media';
import { type JpegRecipe, makeJpeg } from './make-jpeg.js';
import { writeWhole } from './write-whole.js';

const widest = 1_280;

const frameAt = (seconds: number): JpegRecipe => ({
  input: ['-ss', seconds.toFixed(3)],
  output: ['-map', '0:V:0', '-vf', `scale='min(${widest},iw)':-2`, '-q:v', '4'],
});

/** Whether a recording has a poster. */
export async function hasPoster(dataDir: string, videoId: number): Promise<boolean> {
  return access(posterFile(dataDir, videoId)).then(
    () => true,
    () => false,
  );
}

/** Keeps the frame at some seconds, or the first one that can be decoded; answers whether there was one. */
export async function makePoster(
  ffmpegPath: string,
  path: string,
  seconds: number,
  work: ToolWork,
): Promise<boolean> {
  const bytes =
    (await makeJpeg(ffmpegPath, frameAt(seconds), work)) ?? (await makeJpeg(ffmpegPath, frameAt(0), work));
  if (!bytes) return false;
  await mkdir(dirname(path), { recursive: true });
  await writeWhole(path, bytes);
  return true;
}
