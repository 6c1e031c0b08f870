import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placeClip, prepareClips } from './clip-store.js';
import { trackOf } from './clip-tracks.js';
import { type ClipVariant, clipsOf, emptyClips, type Subject } from './clip-variants.js';
import { boxAt, picture } from './motion-path.js';
import { coatColours } from './paint.js';

const run = promisify(execFile);
const pair = only(clipsOf('blue', 2));
const night = only(emptyClips('night'));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'birdhub-clips-'));
  await prepareClips(join(folder, 'cache'), [pair, night]);
});
afterAll(() => rm(folder, { recursive: true }));

describe('clips', () => {
  it.each([pair, night])('clip, $name, is H.264 and AAC of the length it promises', async (clip) => {
    const probe = await probeOf(await placed(clip));
    const codecs = probe.streams.map(({ codec_name }) => codec_name);
    expect(codecs).toEqual(['h264', 'aac']);
    expect(Math.abs(Number(probe.format.duration) - clip.seconds)).toBeLessThan(0.2);
  });

  it('clip, by night, can be heard', async () => {
    const { stderr } = await run('ffmpeg', [
      '-i',
      await placed(night),
      '-af',
      'volumedetect',
      '-f',
      'null',
      '-',
    ]);
    expect(Number(/max_volume: (-?[\d.]+) dB/.exec(stderr)?.[1])).toBeGreaterThan(-20);
  });

  it('birds, at the frames of their tracks, fill the posted boxes and nothing outside them', async () => {
    const file = await placed(pair);
    const later = Math.max(...pair.subjects.map(({ fromFrame }) => fromFrame));
    for (const frame of [later, later + 37, later + 74]) {
      const pixels = await pixelsOf(file, frame, pair.subjects[0]?.coat);
      const boxes = pair.subjects.map(({ path, size }) => boxAt(path, size, frame / picture.framesPerSecond));
      const counts = boxes.map((box) => pixels.filter((pixel) => isInside(pixel, box)).length);
      pair.subjects.forEach(({ size }, index) => {
        expect(counts[index]).toBeGreaterThan(0.3 * size.width * size.height);
      });
      expect(pixels.length - counts.reduce((sum, count) => sum + count, 0)).toBe(0);
    }
  });

  it('bird, before and after its track, is not to be seen', async () => {
    const file = await placed(pair);
    const first = Math.min(...pair.subjects.map(({ fromFrame }) => fromFrame));
    const last = Math.max(...pair.subjects.map(({ toFrame }) => toFrame));
    for (const frame of [first - 1, last + 1]) {
      expect(await pixelsOf(file, frame, pair.subjects[0]?.coat)).toEqual([]);
    }
    expect(Math.min(...pair.subjects.map((subject) => trackOf(subject).start))).toBeCloseTo(first / 12, 3);
  });
});

describe('clip store', () => {
  it('prepareClips, a second time, makes nothing and leaves no unfinished file', async () => {
    expect(await prepareClips(join(folder, 'cache'), [pair, night])).toEqual({ made: 0 });
    expect((await readdir(join(folder, 'cache'))).filter((name) => !name.endsWith('.mp4'))).toEqual([]);
  });

  it('placeClip, twice and then with another clip, leaves the last one there', async () => {
    const target = join(folder, 'tree', 'again', 'video.mp4');
    await placeClip(join(folder, 'cache'), pair, target);
    await placeClip(join(folder, 'cache'), pair, target);
    expect((await probeOf(target)).format.duration).toMatch(`${pair.seconds}.`);
    await placeClip(join(folder, 'cache'), night, target);
    expect((await probeOf(target)).format.duration).toMatch(`${night.seconds}.`);
    expect(await readdir(join(folder, 'tree', 'again'))).toEqual(['video.mp4']);
  });

  it('placeClip, in the same file system, takes no room', async () => {
    expect((await stat(await placed(pair))).nlink).toBeGreaterThan(1);
  });
});

async function placed(clip: ClipVariant): Promise<string> {
  const target = join(folder, 'tree', clip.name, 'video.mp4');
  await placeClip(join(folder, 'cache'), clip, target);
  return target;
}

type Probe = { streams: { codec_name: string }[]; format: { duration: string } };

async function probeOf(file: string): Promise<Probe> {
  const wanted = ['-show_entries', 'stream=codec_name:format=duration', '-of', 'json'];
  return JSON.parse((await run('ffprobe', ['-v', 'error', ...wanted, file])).stdout);
}

type Pixel = { x: number; y: number };

/** The pixels of a frame that have the colour of a coat, as near as the encoding keeps it. */
async function pixelsOf(file: string, frame: number, coat: Subject['coat'] | undefined): Promise<Pixel[]> {
  const colour = coatColours[coat ?? 'red'];
  const args = ['-v', 'error', '-i', file, '-vf', `select=eq(n\\,${frame})`, '-frames:v', '1'];
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'];
  const { stdout } = await run('ffmpeg', [...args, ...raw], { encoding: 'buffer', maxBuffer: 1e7 });
  const { width, height } = picture;
  expect(stdout.length).toBe(width * height * 3);
  const all = Array.from({ length: width * height }, (_, index) => index);
  const like = all.filter((index) =>
    colour.every((value, channel) => Math.abs((stdout[index * 3 + channel] ?? Number.NaN) - value) < 45),
  );
  return like.map((index) => ({ x: index % width, y: Math.floor(index / width) }));
}

function isInside({ x, y }: Pixel, [x1, y1, x2, y2]: readonly [number, number, number, number]): boolean {
  const { width, height } = picture;
  return x + 1 > x1 * width && x < x2 * width && y + 1 > y1 * height && y < y2 * height;
}

function only(clips: readonly ClipVariant[]): ClipVariant {
  const clip = clips[0];
  if (clip === undefined) throw new Error('there is no such clip');
  return clip;
}
