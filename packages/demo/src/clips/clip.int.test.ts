import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPhotographs, photographed, photographOf } from '../birds/index.js';
import { picture } from '../scenes/index.js';
import { type Clip, drawParts, type Track, tracksOf } from './clip.js';
import { placeClip, prepareClips } from './clip-store.js';

const run = promisify(execFile);
const scene = { place: 'garden', season: 'summer', light: 'day', seconds: 7, take: 0 } as const;
const robin: Clip = { ...scene, birds: ['European Robin'], singer: 'European Robin' };
const night: Clip = { ...scene, birds: ['Tawny Owl'], singer: 'Tawny Owl', light: 'night' };
const nobody: Clip = { ...scene, birds: [] };
const tools = { ffmpegPath: 'ffmpeg' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'birdhub-clips-'));
  await prepareClips(join(folder, 'cache'), [robin, night, nobody], tools);
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

describe('clips', () => {
  it.each([
    ['a robin', robin],
    ['an owl by night', night],
  ])('clip of %s, is H.264 and AAC of the given length', async (name, clip) => {
    const probe = await probeOf(await placed(name, clip));
    expect(probe.streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac']);
    expect(Math.abs(Number(probe.format.duration) - clip.seconds)).toBeLessThan(0.2);
  });

  it('clip of a singing bird, is audible', async () => {
    const args = ['-i', await placed('heard', night), '-af', 'volumedetect', '-f', 'null', '-'];
    const { stderr } = await run('ffmpeg', args);
    expect(Number(/max_volume: (-?[\d.]+) dB/.exec(stderr)?.[1])).toBeGreaterThan(-20);
  });

  it('bird in the frames of its track, changes the picture inside its boxes only', async () => {
    await expectInsideBoxes(robin, 0.02);
  });

  it('bird before and after its track, is not visible', async () => {
    const [track] = tracksOf(await drawParts(robin));
    const [withBird, empty] = [await placed('with', robin), await placed('without', nobody)];
    for (const t of [0, 6.9]) expect((await changedPixels(withBird, empty, t)).length).toBeLessThan(50);
    expect((track as Track).start).toBeGreaterThan(0.3);
  });
});

describe('photographs', () => {
  it('without the package, are not found; with all files, are', async () => {
    const photographsDir = await makePhotographs('complete');
    expect(findPhotographs(photographsDir)).toBe(photographsDir);
    await rm(join(photographsDir, 'duck.ogg'));
    expect(findPhotographs(photographsDir)).toBeUndefined();
  });

  it('clip of a photographed bird, shows it inside its boxes and plays its call', async () => {
    const photographsDir = await makePhotographs('shown');
    const look = 'Eurasian Blackbird, photograph';
    const clip: Clip = { ...scene, birds: [look], singer: look, photographsDir };
    await prepareClips(join(folder, 'cache'), [clip], tools);
    await expectInsideBoxes(clip, 0.05);
    // The call is a tone of 3 kHz.
    const args = [
      '-i',
      await placed('photograph', clip),
      '-af',
      'highpass=f=2500,lowpass=f=3500,volumedetect',
      '-f',
      'null',
      '-',
    ];
    const { stderr } = await run('ffmpeg', args);
    expect(Number(/max_volume: (-?[\d.]+) dB/.exec(stderr)?.[1])).toBeGreaterThan(-25);
  });
});

describe('clip store', () => {
  it('prepareClips, a second time, makes nothing and leaves no unfinished file', async () => {
    expect(await prepareClips(join(folder, 'cache'), [robin, robin, night], tools)).toEqual({ made: 0 });
    expect((await readdir(join(folder, 'cache'))).filter((name) => !name.endsWith('.mp4'))).toEqual([]);
  });

  it('placeClip, repeated and then with another clip, leaves the last one as a hard link', async () => {
    const target = join(folder, 'tree', 'again', 'video.mp4');
    await placeClip(join(folder, 'cache'), robin, target);
    await placeClip(join(folder, 'cache'), robin, target);
    await placeClip(join(folder, 'cache'), night, target);
    expect(await readdir(join(folder, 'tree', 'again'))).toEqual(['video.mp4']);
    expect((await stat(target)).nlink).toBeGreaterThan(1);
  });
});

/** Makes a folder like that of the package: white ellipses, and calls of a single tone. */
async function makePhotographs(name: string): Promise<string> {
  const photographsDir = await mkdtemp(join(folder, `${name}-`));
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="130"><ellipse cx="100" cy="65" rx="98" ry="63" fill="#fff"/></svg>';
  const call = join(photographsDir, 'call.ogg');
  await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'sine=3000:duration=0.8', call]);
  for (const look of photographed) {
    const photograph = photographOf(look);
    if (!photograph) throw new Error(`no photograph of ${look}`);
    await sharp(Buffer.from(svg)).png().toFile(join(photographsDir, photograph.file));
    if (photograph.call) await copyFile(call, join(photographsDir, photograph.call));
  }
  return photographsDir;
}

/** Expects that the bird of a clip is in the boxes of its track, and nowhere else except a share of its pixels. */
async function expectInsideBoxes(clip: Clip, maxOutside: number): Promise<void> {
  const [track] = tracksOf(await drawParts(clip));
  if (!track) throw new Error('the bird has no track');
  const [withBird, empty] = [await placed('with', clip), await placed('without', nobody)];
  const boxes = track.frames.filter((_, index) => index % 5 === 2);
  expect(boxes.length).toBeGreaterThan(2);
  for (const { t, bbox } of boxes) {
    const changed = await changedPixels(withBird, empty, t);
    const inside = changed.filter((pixel) => isInside(pixel, bbox, 3));
    expect(inside.length).toBeGreaterThan(2_000);
    expect(changed.length - inside.length).toBeLessThan(maxOutside * changed.length + 20);
  }
}

async function placed(name: string, clip: Clip): Promise<string> {
  const target = join(folder, 'tree', name, 'video.mp4');
  await placeClip(join(folder, 'cache'), clip, target);
  return target;
}

interface Probe {
  readonly streams: readonly { readonly codec_name: string }[];
  readonly format: { readonly duration: string };
}

async function probeOf(file: string): Promise<Probe> {
  const wanted = ['-show_entries', 'stream=codec_name:format=duration', '-of', 'json'];
  return JSON.parse((await run('ffprobe', ['-v', 'error', ...wanted, file])).stdout);
}

interface Pixel {
  readonly x: number;
  readonly y: number;
}

/** The pixels that differ between two clips at a time, by more than encoding noise. */
async function changedPixels(one: string, other: string, t: number): Promise<Pixel[]> {
  const [first, second] = await Promise.all([grayAt(one, t), grayAt(other, t)]);
  const pixels: Pixel[] = [];
  first.forEach((value, index) => {
    if (Math.abs(value - (second[index] ?? 0)) < 45) return;
    pixels.push({ x: index % picture.width, y: Math.floor(index / picture.width) });
  });
  return pixels;
}

async function grayAt(file: string, t: number): Promise<Buffer> {
  const frame = Math.round(t * 15);
  const args = ['-v', 'error', '-i', file, '-vf', `select=eq(n\\,${frame})`, '-frames:v', '1'];
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'gray', '-'];
  const { stdout } = await run('ffmpeg', [...args, ...raw], { encoding: 'buffer', maxBuffer: 1e7 });
  expect(stdout.length).toBe(picture.width * picture.height);
  return stdout;
}

function isInside(
  { x, y }: Pixel,
  [x1, y1, x2, y2]: readonly [number, number, number, number],
  margin: number,
) {
  const { width, height } = picture;
  return (
    x + 1 + margin > x1 * width &&
    x - margin < x2 * width &&
    y + 1 + margin > y1 * height &&
    y - margin < y2 * height
  );
}
