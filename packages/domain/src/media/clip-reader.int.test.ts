import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseListing, readClip } from './clip-reader.js';

const run = promisify(execFile);
const tools = { ffmpegPath: 'ffmpeg', ffprobePath: 'ffprobe' };
/** Frames of 64 x 48, 10 per second for 30 s, each brighter than the previous one. */
const steps = ['-f', 'lavfi', '-i', 'color=black:s=64x48:r=10:d=30,format=gray,geq=lum=20+N/2'];
const tone = ['-f', 'lavfi', '-i', 'sine=f=3000:d=30'];
const h264 = [
  '-pix_fmt',
  'yuvj420p',
  '-color_range',
  'pc',
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-qp',
  '1',
];

describe('readClip', () => {
  let folder: string;
  const make = (name: string, ...args: readonly string[]) =>
    run('ffmpeg', ['-v', 'error', '-y', ...args, join(folder, name)]);

  /** The facts of a clip, the numbers of its frames at the given times, and the first bytes of its sound picture. */
  async function read(name: string, times: readonly number[]) {
    const file = await open(join(folder, name));
    let drawn = '';
    try {
      const content = await readClip(
        tools,
        {
          times,
          make: async ({ data }) => Math.round((data.readUInt8(64 * 48 * 1.5) - 20) * 2),
          drawSound: () => ({
            input: [],
            graph: '[1:a:0]showspectrumpic=s=100x64:legend=0[side]',
            output: ['-frames:v', '1', '-pix_fmt', 'yuvj420p', '-c:v', 'mjpeg', '-f', 'image2pipe'],
            read: async (output) => {
              drawn = (await buffer(output)).toString('hex', 0, 3);
            },
          }),
        },
        { input: file, limitMs: 60_000 },
      );
      return { ...content, drawn };
    } finally {
      await file.close();
    }
  }

  /** Consecutive frames differ by half a step of brightness. */
  const near = (numbers: readonly number[]) => numbers.map((number) => expect.closeTo(number, -0.6));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'birdhub-clips-'));
    await make('both.mp4', ...steps, ...tone, ...h264, '-g', '40', '-shortest');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('a clip with sound, returns facts, frames in the order of the times, and the sound picture', async () => {
    const { facts, made, drawn } = await read('both.mp4', [7, 0, 4.1, 9.9]);
    expect(facts).toEqual({ seconds: expect.closeTo(30, 0), hasVideo: true, hasAudio: true });
    expect([made, drawn]).toEqual([near([70, 0, 41, 99]), 'ffd8ff']);
  });

  it('times far apart, are all found', async () => {
    expect((await read('both.mp4', [0.5, 25, 13, 900])).made).toEqual(near([5, 250, 130, 299]));
  });

  it('a clip whose timestamps do not start at zero, is read from its start', async () => {
    await run('ffmpeg', [
      ...['-v', 'error', '-y', '-i', join(folder, 'both.mp4'), '-c', 'copy', '-output_ts_offset', '100'],
      join(folder, 'late.mkv'),
    ]);
    expect((await read('late.mkv', [0, 7.3])).made).toEqual(near([0, 73]));
  });

  it('a clip without sound, returns its frames', async () => {
    await make('silent.mp4', ...steps, ...h264);
    const { facts, made, drawn } = await read('silent.mp4', [2]);
    expect([facts?.hasAudio, made, drawn]).toEqual([false, near([20]), '']);
  });

  it('a clip without video, returns no frame', async () => {
    await make('sound.mp4', ...tone);
    expect(await read('sound.mp4', [2])).toMatchObject({ facts: { hasVideo: false }, made: [undefined] });
  });

  it('a truncated clip, returns what can be decoded', async () => {
    await make('cut.mkv', ...steps, ...tone, ...h264, '-g', '40', '-shortest');
    await truncate(join(folder, 'cut.mkv'), 60_000);
    expect((await read('cut.mkv', [0])).made).toEqual(near([0]));
  });

  it('a file that is not a clip, returns nothing', async () => {
    await writeFile(join(folder, 'text.mp4'), 'nothing to play');
    expect(await read('text.mp4', [0])).toEqual({ drawn: '' });
  });
});

describe('parseListing', () => {
  it('cover art of an audio file, is not a video', () => {
    const listing = 'stream,0,audio,0\nstream,1,video,1\nformat,0.0,3.5\n';
    expect(parseListing(listing)?.facts).toEqual({ seconds: 3.5, hasVideo: false, hasAudio: true });
  });
});
