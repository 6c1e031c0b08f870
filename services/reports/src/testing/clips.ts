import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Makes a video with ffmpeg; the filter is what is seen, options say how it is written. */
export async function makeClip(file: string, filter: string, options: readonly string[] = []): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-threads', '1'];
  await run('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', filter, ...codec, ...options, file]);
}

const matrixAfterType = 44;

/** Has players turn an MP4 clockwise by a quarter, as cameras that hang on their side do. */
export async function turnClip(file: string, height: number): Promise<void> {
  const bytes = await readFile(file);
  const matrix = bytes.indexOf('tkhd') + matrixAfterType;
  const turned = [0, 1, 0, -1, 0, 0, height, 0].map((value) => value * 65_536);
  turned.forEach((value, index) => void bytes.writeInt32BE(value, matrix + index * 4));
  await writeFile(file, bytes);
}
