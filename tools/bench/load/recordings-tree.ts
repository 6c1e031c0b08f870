import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFfmpeg } from '@birdhub/demo/clips';
import { dayMs } from '@birdhub/shared/time';

/** A tree with the same number of recordings on consecutive days. */
export interface RecordingsTree {
  readonly folder: string;
  /** The first day, in UTC. */
  readonly firstDay: number;
  readonly days: number;
  readonly perDay: number;
}

const digits = (value: number) => String(value).padStart(2, '0');

/** Returns the folder of a recording as processors name it, by its time. */
function folderOf(instant: number): string {
  const at = new Date(instant);
  const day = [at.getUTCFullYear(), digits(at.getUTCMonth() + 1), digits(at.getUTCDate())].join('/');
  return `${day}/${digits(at.getUTCHours())}${digits(at.getUTCMinutes())}${digits(at.getUTCSeconds())}`;
}

/** Creates the tree with copies of one small film that lasts a second. */
export async function makeRecordingsTree({ folder, firstDay, days, perDay }: RecordingsTree): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), 'birdhub-film-'));
  try {
    const film = join(parent, 'video.mp4');
    const source = ['-f', 'lavfi', '-i', 'testsrc=s=64x48:r=5:d=1'];
    await runFfmpeg('ffmpeg', ['-v', 'error', ...source, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', film]);
    for (let day = 0; day < days; day += 1) {
      const copy = async (_: unknown, index: number) => {
        const at = join(folder, folderOf(firstDay + day * dayMs + Math.floor((index * dayMs) / perDay)));
        await mkdir(at, { recursive: true });
        await copyFile(film, join(at, 'video.mp4'));
      };
      await Promise.all(Array.from({ length: perDay }, copy));
    }
  } finally {
    await rm(parent, { recursive: true });
  }
}
