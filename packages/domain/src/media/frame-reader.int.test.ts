import { execFile } from 'node:child_process';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFrameReader } from './frame-reader.js';
import type { Picture } from './pictures.js';
import { ToolTimeoutError } from './run-tool.js';

const run = promisify(execFile);
const tools = { ffmpegPath: 'ffmpeg', ffprobePath: 'ffprobe' };

/** Frames of 64 × 48, 10 per second, each brighter than the previous one: from 20 in steps of 2. */
const steps = 'color=black:s=64x48:r=10:d=10,format=gray,geq=lum=20+2*N';
const numberOf = ({ data }: Picture) => Math.round((data.readUInt8(64 * 48 * 1.5) - 20) / 2);

const countPrograms = () =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'ProcessWrap').length;

describe('createFrameReader', () => {
  let folder: string;
  const clip = (name: string) => join(folder, name);
  const make = (name: string, options: readonly string[]) =>
    run('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', steps, ...options, clip(name)]);
  const fullRange = ['-pix_fmt', 'yuvj420p', '-color_range', 'pc'];
  const h264 = [...fullRange, '-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '1', '-g', '40', '-bf', '3'];

  async function read(name: string, times: readonly number[], signal?: AbortSignal) {
    const file = await open(clip(name));
    try {
      return await createFrameReader(tools).read(file, times, async (picture) => numberOf(picture), signal);
    } finally {
      await file.close();
    }
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'birdhub-frames-'));
    await make('steps.mp4', h264);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('unordered and repeated times, returns the nearest frames in that order', async () => {
    expect(await read('steps.mp4', [7.34, 0, 4.01, 4.01, 3.96, 9.9, 500])).toEqual([
      73, 0, 40, 40, 40, 99, 99,
    ]);
  });

  it('more times than one run decodes, returns all frames', async () => {
    const times = Array.from({ length: 90 }, (_, index) => index / 10);
    expect(await read('steps.mp4', times)).toEqual(times.map((time) => Math.round(time * 10)));
  });

  it('a file whose timestamps do not start at zero, is read from its start', async () => {
    const copy = ['-c', 'copy', '-output_ts_offset', '100'];
    await run('ffmpeg', ['-v', 'error', '-y', '-i', clip('steps.mp4'), ...copy, clip('late.mp4')]);
    expect(await read('late.mp4', [0, 7.3])).toEqual([0, 73]);
  });

  it('a Matroska file, is read too', async () => {
    await run('ffmpeg', ['-v', 'error', '-y', '-i', clip('steps.mp4'), '-c', 'copy', clip('steps.mkv')]);
    expect(await read('steps.mkv', [2.2, 9.9, 99])).toEqual([22, 99, 99]);
  });

  it('a frame that cannot be decoded, is replaced by the key frame before it, the others are exact', async () => {
    const bytes = await readFile(clip('steps.mp4'));
    const { stdout } = await run('ffprobe', [
      ...['-v', 'quiet', '-show_entries', 'packet=pts_time,pos,size', '-of', 'csv=p=0', clip('steps.mp4')],
    ]);
    const [, size = 0, position = 0] =
      stdout
        .split('\n')
        .find((line) => line.startsWith('9.9'))
        ?.split(',')
        .map(Number) ?? [];
    await writeFile(clip('damaged.mp4'), bytes.fill(0, position, position + size));
    expect(await read('damaged.mp4', [9.9, 8.5])).toEqual([80, 85]);
  });

  it('no times, returns no frames', async () => {
    expect(await read('steps.mp4', [])).toEqual([]);
  });

  it('an abort half-way, ends the programs', async () => {
    const controller = new AbortController();
    const file = await open(clip('steps.mp4'));
    const hang = () => {
      expect(countPrograms()).toBe(1);
      controller.abort(new Error('left'));
      return new Promise<never>(() => {});
    };
    await expect(createFrameReader(tools).read(file, [1], hang, controller.signal)).rejects.toThrow('left');
    await file.close();
    await expect.poll(countPrograms).toBe(0);
  });

  it('a missing program, throws', async () => {
    const file = await open(clip('steps.mp4'));
    const reader = createFrameReader({ ...tools, ffprobePath: clip('no-such-program') });
    await expect(reader.read(file, [1], async () => 1)).rejects.toThrow('ENOENT');
    await file.close();
  });

  it('a program that hangs, is ended after the time limit', async () => {
    await writeFile(clip('hangs'), '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 });
    const file = await open(clip('steps.mp4'));
    const reader = createFrameReader({ ...tools, ffprobePath: clip('hangs') }, 200);
    await expect(reader.read(file, [1], async () => 1)).rejects.toThrow(ToolTimeoutError);
    await file.close();
  });
});
