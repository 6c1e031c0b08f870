import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Creates a video with ffmpeg from an input filter and output options. */
export async function makeClip(file: string, filter: string, options: readonly string[] = []): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-threads', '1'];
  await run('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', filter, ...codec, ...options, file]);
}

const matrixAfterType = 44;

/** Sets the rotation of an MP4 to 90° clockwise, like that of a camera mounted sideways. */
export async function rotateClip(file: string, height: number): Promise<void> {
  const bytes = await readFile(file);
  const matrix = bytes.indexOf('tkhd') + matrixAfterType;
  const rotated = [0, 1, 0, -1, 0, 0, height, 0].map((value) => value * 65_536);
  rotated.forEach((value, index) => void bytes.writeInt32BE(value, matrix + index * 4));
  await writeFile(file, bytes);
}
