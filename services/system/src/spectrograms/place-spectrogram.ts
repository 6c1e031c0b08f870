import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, extname, join, posix, sep } from 'node:path';
import { canonicalVideoPath, recordingFile } from '@birdhub/domain/media';
import { writeWhole } from '../media/write-whole.js';

const videoEndings = new Set(['.mp4', '.webm', '.mkv', '.mov', '.m4v', '.avi']);

/** The name of a picture beside a video; where videos share a folder each has the name of its own in front. */
export function spectrogramName(
  videoName: string,
  pxPerSecond: number,
  neighbours: readonly string[],
): string {
  const name = `spectrogram_${pxPerSecond}.jpg`;
  const isAlone = neighbours.every(
    (other) => other === videoName || !videoEndings.has(extname(other).toLowerCase()),
  );
  return isAlone ? name : `${basename(videoName, extname(videoName))}.${name}`;
}

/**
 * Puts a picture beside its video; returns its path as it is stored.
 * @throws an error of the file system, such as of a tree that may only be read
 */
export async function placeSpectrogram(
  recordingsDir: string,
  videoPath: string,
  pxPerSecond: number,
  bytes: Buffer,
): Promise<string> {
  const root = await realpath(recordingsDir);
  const folder = await realpath(dirname(recordingFile(root, videoPath)));
  if (folder !== root && !folder.startsWith(root + sep))
    throw new Error('the folder lies outside the recordings');
  const name = spectrogramName(posix.basename(videoPath), pxPerSecond, await readdir(folder));
  await writeWhole(join(folder, name), bytes);
  return canonicalVideoPath(posix.join(posix.dirname(videoPath), name));
}
