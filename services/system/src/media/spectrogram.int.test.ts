import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readScale } from '@birdhub/domain/media';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestMedia, type TestMedia, testPicture, testTone } from '../testing/create-test-media.js';
import { createSpectrogramJob } from './spectrogram.js';

/** ffmpeg takes long for long media while other tests run. */
const decodingMs = 120_000;

describe('spectrograms of recordings', () => {
  let hub: TestMedia;
  let day = 0;

  beforeAll(async () => {
    hub = await createTestMedia();
  });
  afterAll(() => hub.close());

  const post = (videoPath: string, spectrogramPath: string | null = null) => {
    day += 1;
    return hub.post({ start: Date.UTC(2026, 4, day, 8), videoPath, spectrogramPath });
  };
  const work = (videoId: number, force = false) =>
    createSpectrogramJob(hub).work(videoId, { force, signal: new AbortController().signal });
  const namesIn = (folder: string) => readdirSync(join(hub.recordingsDir, folder)).sort();

  it('with sound, are drawn once, in the folder of the video', async () => {
    await hub.makeFile('a/video.mp4', testTone);
    const id = await post('data/recordings/a/video.mp4');
    expect(await work(id)).toEqual({ outcome: 'generated' });
    expect(namesIn('a')).toEqual(['spectrogram_100.jpg', 'video.mp4']);
    expect(await hub.row(id)).toMatchObject({ spectrogram_path: 'data/recordings/a/spectrogram_100.jpg' });
    expect(await readScale(hub.recordingsDir, 'data/recordings/a/spectrogram_100.jpg')).toBe(12);
    expect(await work(id)).toEqual({ outcome: 'skipped' });
    expect(await work(id, true)).toEqual({ outcome: 'generated' });
  });

  it('of half an hour, are drawn in parts as one picture', { timeout: decodingMs }, async () => {
    const file = await hub.makeFile('long/song.wav', ['-f', 'lavfi', '-i', 'sine=f=3000:d=1800:r=8000']);
    const id = await post('long/song.wav');
    expect(await work(id)).toEqual({ outcome: 'generated' });
    const picture = join(dirname(file), 'spectrogram_8.jpg');
    /** The mean of a part of the picture, 0 to 255. */
    const brightnessOf = (part: string) => {
      const args = ['-v', 'error', '-i', picture, '-vf', `crop=${part},format=gray`, '-f', 'rawvideo', '-'];
      const pixels = execFileSync('ffmpeg', args);
      return pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
    };
    // A crop wider than the picture would be refused.
    expect(brightnessOf('14400:5:0:190')).toBeGreaterThan(0);
    // The tone is as bright at the end as at the start.
    expect(brightnessOf('200:5:14000:190')).toBeCloseTo(brightnessOf('200:5:200:190'), -1);
    expect(brightnessOf('200:5:14000:190')).toBeGreaterThan(brightnessOf('200:5:14000:100') + 40);
  });

  it('of several in one folder, have a picture each', async () => {
    await hub.makeFile('b/one.mp4', testTone);
    await hub.makeFile('b/two.mp4', testTone);
    for (const name of ['one', 'two'])
      expect((await work(await post(`b/${name}.mp4`))).outcome).toBe('generated');
    expect(namesIn('b')).toEqual([
      'one.mp4',
      'one.spectrogram_100.jpg',
      'two.mp4',
      'two.spectrogram_100.jpg',
    ]);
  });

  it('by the processor, are kept, and drawn when missing', async () => {
    await hub.makeFile('c/video.mp4', testTone);
    const lost = await post('c/video.mp4', 'c/spectrogram_200.jpg');
    expect(await work(lost)).toEqual({ outcome: 'generated' });
    await hub.makeFile('d/video.mp4', testTone);
    await writeFile(join(hub.recordingsDir, 'd/own.jpg'), 'x');
    expect(await work(await post('d/video.mp4', 'd/own.jpg'))).toEqual({ outcome: 'skipped' });
  });

  it('drawn by force, replace that of the processor, which is removed', async () => {
    await hub.makeFile('e/video.mp4', testTone);
    await writeFile(join(hub.recordingsDir, 'e/own.jpg'), 'x');
    await work(await post('e/video.mp4', 'data/recordings/e/own.jpg'), true);
    const { rows } = await hub.pool.query(`SELECT path FROM file_removal WHERE path LIKE 'e/%'`);
    expect(rows).toEqual([{ path: 'e/own.jpg' }]);
  });

  it('without sound or deleted, are skipped', async () => {
    await hub.makeFile('f/video.mp4', testPicture);
    expect(await work(await post('f/video.mp4'))).toEqual({ outcome: 'skipped' });
    expect(await work(999_999)).toEqual({ outcome: 'skipped' });
  });

  it('with a missing or unreadable file, fail with the reason', async () => {
    expect(await work(await post('g/video.mp4'))).toMatchObject({ reason: { code: 'file_missing' } });
    await writeFile(join(hub.recordingsDir, 'h.mp4'), 'nothing to play');
    expect(await work(await post('h.mp4'))).toMatchObject({ reason: { code: 'file_unreadable' } });
  });
});
