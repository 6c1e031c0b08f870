import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Codecs that cameras record in. */
export type CameraCodec = 'h264' | 'h265';

const encoders: Record<CameraCodec, readonly string[]> = {
  h264: ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
  h265: ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-tag:v', 'hvc1'],
};

/** Creates media with ffmpeg, once for each kind and length. */
export class SampleMedia {
  readonly #made = new Map<string, Promise<Buffer>>();

  /** Returns a fragmented MP4 without an index, as streamed by Frigate; `seconds` is an integer. */
  clip(seconds: number, codec: CameraCodec = 'h264'): Promise<Buffer> {
    // A smaller picture, as encoding a long clip takes seconds.
    const form = seconds > 60 ? 's=160x90:r=1' : 's=320x180:r=10';
    const picture = ['-f', 'lavfi', '-i', `testsrc=${form}:d=${seconds}`];
    const inFragments = ['-movflags', 'frag_keyframe+empty_moov', '-g', '20'];
    return this.#make(`${codec}-${seconds}.mp4`, [...picture, ...encoders[codec], ...inFragments]);
  }

  /** Returns a tone as `wav`, `mp3`, `flac`, `m4a` or `opus`. */
  sound(seconds: number, extension = 'wav'): Promise<Buffer> {
    return this.#make(`tone-${seconds}.${extension}`, [
      '-f',
      'lavfi',
      '-i',
      `sine=f=3000:d=${seconds}:r=48000`,
    ]);
  }

  /** Returns a still picture as `jpg`, `png` or `webp`. */
  picture(extension = 'jpg', height = 180): Promise<Buffer> {
    const size = `${Math.round((height * 16) / 18) * 2}x${height}`;
    const one = ['-f', 'lavfi', '-i', `testsrc=s=${size}:r=1:d=1`, '-frames:v', '1'];
    return this.#make(`picture-${height}.${extension}`, one);
  }

  #make(name: string, args: readonly string[]): Promise<Buffer> {
    const made = this.#made.get(name) ?? makeFile(name, args);
    this.#made.set(name, made);
    return made;
  }
}

async function makeFile(name: string, args: readonly string[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'birdhub-sample-'));
  try {
    const file = join(folder, name);
    await run('ffmpeg', ['-v', 'error', '-y', ...args, file]);
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}
