import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawSoundPicture } from './sound-picture.js';

/** ffmpeg takes long for long recordings while other tests run. */
const decodingMs = 120_000;

const run = promisify(execFile);
const size = { width: 640, height: 360 };

describe('drawSoundPicture', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'birdhub-sound-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function draw(path: string, from = 0, to = 3, marks = [{ from: 1, to: 2 }]) {
    const input = await open(path);
    try {
      const view = { from, to, marks, ...size };
      return await drawSoundPicture('ffmpeg', view, { input, limitMs: 20_000 });
    } finally {
      await input.close();
    }
  }

  /** Mean brightness of a row of the picture between the axes. */
  async function brightnessOf(jpeg: Buffer, kilohertz: number, atX = 200): Promise<number> {
    const top = Math.round(30 + 285 * (1 - kilohertz / 12)) - 4;
    const { data } = await sharp(jpeg)
      .extract({ left: atX, top, width: 40, height: 8 })
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return data.reduce((sum, value) => sum + value, 0) / data.length;
  }

  it.each(['wav', 'mp3', 'flac', 'ogg', 'opus', 'm4a', 'aac'])(
    'a tone of 3 kHz as %s, is bright at 3 kHz and dark at 8 kHz',
    async (extension) => {
      const path = join(folder, `tone.${extension}`);
      await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'sine=f=3000:d=3', '-y', path]);
      const jpeg = await draw(path);
      if (!jpeg) throw new Error('no picture');
      expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', ...size });
      expect(await brightnessOf(jpeg, 3)).toBeGreaterThan((await brightnessOf(jpeg, 8)) + 40);
    },
  );

  it('a section that reaches beyond the end, keeps its time axis', async () => {
    const path = join(folder, 'short.wav');
    await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'sine=f=3000:d=2', '-y', path]);
    const jpeg = await draw(path, 0, 8);
    if (!jpeg) throw new Error('no picture');
    expect(await brightnessOf(jpeg, 3, 90)).toBeGreaterThan((await brightnessOf(jpeg, 3, 400)) + 40);
  });

  it('a recording of an hour, becomes one picture with its detections marked', {
    timeout: decodingMs,
  }, async () => {
    const path = join(folder, 'hour.wav');
    const call = "sine=f=3000:d=3600:r=8000,volume='between(t,3000,3300)':eval=frame";
    await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', call, '-y', path]);
    const jpeg = await draw(path, 0, 3_600, [{ from: 3_000, to: 3_300 }]);
    if (!jpeg) throw new Error('no picture');
    expect(await brightnessOf(jpeg, 3, 534)).toBeGreaterThan((await brightnessOf(jpeg, 3, 300)) + 40);
    const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
    /** How much more red than blue a column is, at a quarter of the height. */
    const yellowAt = (x: number) => {
      const at = (Math.round(info.height / 4) * info.width + x) * 3;
      return (data[at] ?? 0) - (data[at + 2] ?? 0);
    };
    expect(Math.max(...[530, 531, 532].map(yellowAt))).toBeGreaterThan(60);
    expect(Math.max(...[400, 450, 500].map(yellowAt))).toBeLessThan(30);
  });

  it('a file without sound, returns no picture', async () => {
    const path = join(folder, 'broken.wav');
    await writeFile(path, 'nothing that anybody could hear');
    expect(await draw(path)).toBeUndefined();
  });
});
