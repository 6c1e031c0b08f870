import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where the recordings of a test are. */
export const recordingsOf = ({ dataDir }: { dataDir: string }) => join(dataDir, 'recordings');

/** Makes a video with ffmpeg; `filter` is what is seen, options say how it is written. */
export async function makeClip(file: string, filter: string, options: readonly string[] = []): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-threads', '1'];
  await run('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', filter, ...codec, ...options, file]);
}
