import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aMovie } from '../testing/a-movie.js';
import { readMp4 } from './describe-video.js';

describe('readMp4', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'birdhub-mp4-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function read(bytes: Buffer) {
    const path = join(folder, 'video.mp4');
    await writeFile(path, bytes);
    const handle = await open(path);
    try {
      return await readMp4(handle, bytes.length);
    } finally {
      await handle.close();
    }
  }

  const createdAt = Date.UTC(2026, 4, 1, 8);

  it.each([false, true])(
    'a complete file, with wide numbers %s, has its duration and its time',
    async (wide) => {
      expect(await read(aMovie({ seconds: 12, createdAt, wide }))).toEqual({ seconds: 12, createdAt });
    },
  );

  it('a clock that was never set, gives no time', async () => {
    expect(await read(aMovie({ seconds: 12 }))).toEqual({ seconds: 12, createdAt: undefined });
  });

  const whole = aMovie();
  const endless = Buffer.from(whole);
  endless.writeUInt32BE(4, 12);
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['another file', Buffer.from('RIFF....AVI LIST')],
    ['a file without its end', whole.subarray(0, 40)],
    ['a file cut in its head', whole.subarray(0, whole.length - 60)],
    ['boxes that lead nowhere', endless],
    ['no length', aMovie({ seconds: 0 })],
  ])('%s, is undefined', async (_, bytes) => {
    expect(await read(bytes)).toBeUndefined();
  });
});
