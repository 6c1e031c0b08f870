import { existsSync, readFileSync } from 'node:fs';
import { rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listStoredCrops, posterFile } from '@birdhub/domain/media';
import { Bus } from '@birdhub/shared/bus';
import type { EventMap } from '@birdhub/shared/events';
import { createOutboxRelay, type OutboxRelay } from '@birdhub/shared/outbox';
import { aDetection, startTestNats, type TestNats, testAuthor } from '@birdhub/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestMedia, type TestMedia, testPicture, testTone } from '../testing/create-test-media.js';
import { startDerivedMedia } from './derived-media.js';
import { createMediaTools } from './media-tools.js';
import { createVideoInspector } from './video-inspector.js';

const soon = { interval: 20 };
const film = (...more: readonly string[]) => [...testPicture, ...more, '-c:v', 'libx264', '-shortest'];

describe('derived media', () => {
  let hub: TestMedia;
  let nats: TestNats;
  let bus: Bus;
  let relay: OutboxRelay;
  let close: () => Promise<void>;
  let path: string;
  let count = 0;
  /** The published events of finished pictures, in order. */
  let published: EventMap['hub.v1.pictures.finished'][];
  let consumers: Pick<Parameters<Bus['consume']>[0], 'maxDeliver' | 'backoffMs'>[];

  beforeAll(async () => {
    [hub, nats] = await Promise.all([createTestMedia(), startTestNats()]);
  });
  beforeEach(async () => {
    count += 1;
    path = `2026/05/${count}/video.mp4`;
    await open();
  });
  afterEach(closeAll);
  afterAll(async () => {
    await hub.close();
    await nats.stop();
  });

  async function open(parts: Partial<Pick<TestMedia, 'clock' | 'tools' | 'maxConcurrency'>> = {}) {
    bus = new Bus({ url: nats.url, name: 'test', log: hub.log });
    relay = createOutboxRelay({ pool: hub.pool, bus, log: hub.log, pollMs: 20 });
    published = [];
    await bus.subscribe({ subjects: 'hub.v1.pictures.*' }, ({ payload }) => void published.push(payload))
      .ready;
    relay.start();
    let handling = Promise.resolve();
    consumers = [];
    const consume: Bus['consume'] = (...consumer) => {
      consumers.push(consumer[0]);
      return bus.consume(...consumer);
    };
    const handle: Bus['handle'] = (...request) => {
      const subscription = bus.handle(...request);
      handling = subscription.ready;
      return subscription;
    };
    ({ close } = startDerivedMedia({ ...hub, bus: { consume, handle }, pollIntervalMs: 50, ...parts }));
    await handling;
  }
  async function closeAll(): Promise<void> {
    await close();
    await relay.stop();
    await bus.close();
  }
  const post = () => hub.post({ start: Date.UTC(2026, 4, count, 8), videoPath: path });
  const becomes = (videoId: number, media: string) =>
    vi.waitFor(async () => expect((await hub.row(videoId)).media).toBe(media), soon);
  const publishedOf = (...ids: readonly number[]) =>
    published.filter(({ video_id }) => ids.includes(video_id));
  const jpegAt = (file: string) => readFileSync(file).subarray(0, 3).toString('hex');

  it('the picture of a detection, is measured when made, or else by the next inspection', async () => {
    await hub.makeFile(path, film());
    const id = await hub.post({
      start: Date.UTC(2026, 4, count, 8),
      videoPath: path,
      detections: [aDetection()],
    });
    await becomes(id, 'ready');
    const measured = async () =>
      (
        await hub.pool.query(
          'SELECT width > 0 AS sized, length(thumbhash) > 20 AS hashed FROM detection_picture',
        )
      ).rows;
    expect(await measured()).toEqual([{ sized: true, hashed: true }]);
    await hub.pool.query('DELETE FROM detection_picture');
    await createVideoInspector({ ...hub, fileTimeoutMs: 60_000 })(id, {
      signal: AbortSignal.timeout(10_000),
    });
    expect(await measured()).toEqual([{ sized: true, hashed: true }]);
  });

  it('events, while the database is unreachable, are delivered for a day', () => {
    const pauses = consumers.map(({ maxDeliver, backoffMs }) =>
      Array.from({ length: maxDeliver - 1 }, (_, index) => backoffMs[index] ?? backoffMs.at(-1) ?? 0),
    );
    expect(pauses).toHaveLength(2);
    for (const each of pauses)
      expect(each.reduce((sum, pause) => sum + pause, 0)).toBeGreaterThanOrEqual(86_400_000);
  });

  it('a recording whose file has arrived, is ready with its size, a poster and a spectrogram', async () => {
    const file = await hub.makeFile(path, film(...testTone));
    const id = await post();
    await becomes(id, 'ready');
    expect(await hub.row(id)).toEqual({
      media: 'ready',
      file_size: (await stat(file)).size,
      spectrogram_path: `data/recordings/2026/05/${count}/spectrogram_100.jpg`,
    });
    expect(jpegAt(posterFile(hub.dataDir, id))).toBe('ffd8ff');
    expect(jpegAt(join(hub.recordingsDir, `2026/05/${count}/spectrogram_100.jpg`))).toBe('ffd8ff');
  });

  it('a recording with a file, gets its crops, and its pictures are published once', async () => {
    await hub.makeFile(path, film(...testTone));
    const boxes = [{ t: 1, bbox: [0.2, 0.2, 0.6, 0.6] as [number, number, number, number] }];
    const detections = [aDetection({ frames: boxes }), aDetection({ source: 'audio' })];
    const id = await hub.post({ start: Date.UTC(2026, 4, count, 8), videoPath: path, detections });
    await becomes(id, 'ready');
    const kept = [...(await listStoredCrops(hub.dataDir, id))];
    expect(kept).toEqual([expect.stringMatching(/^\d+-crop-.+\.jpg$/)]);
    await vi.waitFor(() => expect(publishedOf(id)).toHaveLength(1), soon);
    expect(publishedOf(id)).toEqual([
      { video_id: id, media_kind: 'video', poster: true, spectrogram: true, crops: 1, failure: null },
    ]);
  });

  it('a recording posted again with another box, gets the crop of the new one', async () => {
    await hub.makeFile(path, film());
    const start = Date.UTC(2026, 4, count, 8);
    const withBox = (right: number) =>
      hub.post({
        start,
        videoPath: path,
        detections: [aDetection({ trackId: '1', frames: [{ t: 1, bbox: [0.2, 0.2, right, 0.6] }] })],
      });
    const id = await withBox(0.6);
    await becomes(id, 'ready');
    const before = [...(await listStoredCrops(hub.dataDir, id))];
    await withBox(0.8);
    await vi.waitFor(async () => {
      const now = [...(await listStoredCrops(hub.dataDir, id))];
      expect(now.filter((name) => !before.includes(name))).toHaveLength(1);
    }, soon);
  });

  it('recordings posted while the service was down, get pictures newest first, after a requested one', async () => {
    await closeAll();
    const hours = [6, 7, 8, 9, 10, 11];
    const ids: number[] = [];
    for (const hour of hours) {
      const videoPath = `2026/05/${count}/${hour}.mp4`;
      await hub.makeFile(videoPath, film());
      ids.push(await hub.post({ start: Date.UTC(2026, 4, count, hour), videoPath }));
    }
    await open({ maxConcurrency: 1 });
    const [first, asked = 0, ...others] = ids;
    const reply = await bus.request('hub.cmd.v1.pictures.make', { video_id: asked }, 15_000);
    expect([reply, existsSync(posterFile(hub.dataDir, asked))]).toEqual([{ outcome: 'made' }, true]);
    await vi.waitFor(() => expect(publishedOf(...ids)).toHaveLength(hours.length), soon);
    const order = publishedOf(...ids).map(({ video_id }) => video_id);
    expect(order.indexOf(asked)).toBeLessThan(4);
    // A recording added while none is in progress starts at once, whatever its age.
    expect(order.filter((id) => id !== asked && id !== first)).toEqual(others.reverse());
  });

  it('a hub that stops in the middle, resumes with the missing pictures at its next start', async () => {
    await closeAll();
    const ids: number[] = [];
    for (const hour of [6, 7, 8]) {
      const videoPath = `2026/05/${count}/${hour}.mp4`;
      await hub.makeFile(videoPath, film());
      ids.push(await hub.post({ start: Date.UTC(2026, 4, count, hour), videoPath }));
    }
    await open({ maxConcurrency: 1 });
    await vi.waitFor(() => expect(publishedOf(...ids).length).toBeGreaterThan(0), soon);
    await closeAll();
    const before = publishedOf(...ids);
    await open();
    for (const id of ids) await becomes(id, 'ready');
    expect(before.length).toBeLessThan(ids.length);
  });

  it('a file that has just been written, has pictures at once, and others after it is replaced', async () => {
    await closeAll();
    const file = await hub.makeFile(path, film());
    const written = new Date();
    await utimes(file, written, written);
    // The clock stands still, so the file stays new until it is replaced.
    await open({ clock: { ...hub.clock, now: () => written.getTime() + 500 } });
    const id = await post();
    await vi.waitFor(() => expect(existsSync(posterFile(hub.dataDir, id))).toBe(true), soon);
    const first = readFileSync(posterFile(hub.dataDir, id));
    await hub.makeFile(path, ['-f', 'lavfi', '-i', 'color=red:s=160x120:r=10:d=2', '-c:v', 'libx264']);
    await becomes(id, 'ready');
    expect(readFileSync(posterFile(hub.dataDir, id)).equals(first)).toBe(false);
  });

  it('a file that cannot be decoded, is published with the reason, and not retried for requests', async () => {
    await hub.makeFile(path, film('-g', '1', '-bf', '0'));
    const file = join(hub.recordingsDir, path);
    const bytes = readFileSync(file);
    const from = bytes.indexOf('mdat') + 4;
    const to = bytes.indexOf('moov', from) > 0 ? bytes.indexOf('moov', from) - 4 : bytes.length;
    await writeFile(file, bytes.fill(0, from, to));
    await hub.age(file);
    const id = await post();
    await becomes(id, 'ready');
    await vi.waitFor(() => expect(publishedOf(id)).toHaveLength(1), soon);
    expect(publishedOf(id)).toMatchObject([{ poster: false, failure: 'undecodable' }]);
    const ask = () => bus.request('hub.cmd.v1.pictures.make', { video_id: id }, 15_000);
    expect([await ask(), await ask()]).toEqual([{ outcome: 'unmade' }, { outcome: 'unmade' }]);
    expect(publishedOf(id)).toHaveLength(1);
  });

  it('a recording requested before its file arrives, is pending', async () => {
    const id = await post();
    const reply = await bus.request('hub.cmd.v1.pictures.make', { video_id: id }, 15_000);
    expect(reply).toEqual({ outcome: 'pending' });
    const unknown = await bus.request('hub.cmd.v1.pictures.make', { video_id: 999_999 }, 15_000);
    expect(unknown).toEqual({ outcome: 'unmade' });
  });

  it('a recording without sound, has no spectrogram', async () => {
    await hub.makeFile(path, film());
    const id = await post();
    await becomes(id, 'ready');
    expect((await hub.row(id)).spectrogram_path).toBeNull();
  });

  it('a video without pictures, has its spectrogram as poster', async () => {
    await hub.makeFile(path, testTone);
    const id = await post();
    await becomes(id, 'ready');
    expect(jpegAt(posterFile(hub.dataDir, id))).toBe('ffd8ff');
    expect((await hub.row(id)).spectrogram_path).not.toBeNull();
  });

  it.each(['wav', 'mp3', 'flac', 'ogg', 'opus', 'm4a', 'aac'])(
    'a recording of %s, is ready with a spectrogram, which is its poster',
    async (extension) => {
      path = `2026/05/${count}/song.${extension}`;
      await hub.makeFile(path, testTone);
      const id = await post();
      await becomes(id, 'ready');
      expect((await hub.row(id)).spectrogram_path).toMatch(/spectrogram_\d+\.jpg$/);
      expect(jpegAt(posterFile(hub.dataDir, id))).toBe('ffd8ff');
      await vi.waitFor(
        () => expect(publishedOf(id)).toMatchObject([{ media_kind: 'audio', poster: true, failure: null }]),
        soon,
      );
    },
  );

  it('an audio recording posted again with another span, has a poster that marks it', async () => {
    path = `2026/05/${count}/song.wav`;
    await hub.makeFile(path, testTone);
    const start = Date.UTC(2026, 4, count, 8);
    const heard = (endOffset: number) =>
      hub.post({
        start,
        videoPath: path,
        detections: [aDetection({ source: 'audio', startOffset: 0, endOffset })],
      });
    const id = await heard(0.5);
    await becomes(id, 'ready');
    const before = readFileSync(posterFile(hub.dataDir, id));
    await heard(1.5);
    await vi.waitFor(
      () => expect(readFileSync(posterFile(hub.dataDir, id)).equals(before)).toBe(false),
      soon,
    );
  });

  it('a file that arrives later, is found', async () => {
    const id = await post();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await hub.row(id)).media).toBe('pending');
    await hub.makeFile(path, film());
    await becomes(id, 'ready');
  });

  it('a file that never arrives, is missing after a day', async () => {
    const id = await post();
    const late = `UPDATE video SET updated_at = now() - interval '25 hours' WHERE id = $1`;
    await hub.pool.query(late, [id]);
    await becomes(id, 'missing');
  });

  it('a file that arrives after a scan marked it missing, is found, and the search ends', async () => {
    const postAt = (hour: number, videoPath: string) =>
      hub.post({ start: Date.UTC(2026, 4, count, hour), videoPath });
    const early = await post();
    const late = await postAt(9, `${path}.late.mp4`);
    const other = await postAt(10, `${path}.other.mp4`);
    await hub.writer.saveFileStates([early, late, other].map((videoId) => ({ videoId, state: 'missing' })));
    await hub.pool.query(`UPDATE video SET updated_at = now() - interval '25 hours' WHERE id = $1`, [late]);
    // An earlier search ends when it has found its file.
    await hub.makeFile(path, film());
    await becomes(early, 'ready');
    await hub.makeFile(`${path}.late.mp4`, film());
    await hub.makeFile(`${path}.other.mp4`, film());
    await becomes(other, 'ready');
    expect((await hub.row(late)).media).toBe('missing');
  });

  it('an unreadable file, is awaited while it is new, and missing after that', async () => {
    const file = join(hub.recordingsDir, path);
    await hub.makeFile(path, film());
    await writeFile(file, 'nothing that anybody could play');
    const id = await post();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await hub.row(id)).media).toBe('pending');
    const before = new Date(Math.floor(Date.now() / 1000) * 1000 - 3_600_000);
    await utimes(file, before, before);
    await becomes(id, 'missing');
    await vi.waitFor(
      () => expect(publishedOf(id).map(({ failure }) => failure)).toEqual(['unreadable']),
      soon,
    );
    const { rows } = await hub.pool.query('SELECT file_size, unreadable_at FROM video WHERE id = $1', [id]);
    expect(rows).toEqual([{ file_size: 31, unreadable_at: before }]);
    expect((await hub.pool.query('SELECT * FROM dead_letter')).rows).toEqual([]);
  });

  it('a folder in place of a file, delays no other', async () => {
    await hub.makeFile(`${path}/other.mp4`, film());
    await post();
    path = `2026/05/${count}/second.mp4`;
    await hub.makeFile(path, film());
    const id = await hub.post({ start: Date.UTC(2026, 4, count, 9), videoPath: path });
    await becomes(id, 'ready');
  });

  it('programs that are not installed, leave recordings ready without pictures', async () => {
    await closeAll();
    const nowhere = { ffmpegPath: '/no/ffmpeg', ffprobePath: '/no/ffprobe' };
    await open({ tools: createMediaTools(nowhere, 1) });
    await hub.makeFile(path, film());
    const id = await post();
    await becomes(id, 'ready');
    expect(existsSync(posterFile(hub.dataDir, id))).toBe(false);
  });

  it('a recording deleted meanwhile, leaves no files', async () => {
    await hub.makeFile(path, film(...testTone));
    const id = await post();
    await hub.writer.remove(id, testAuthor);
    path = `2026/05/${count}/next.mp4`;
    await hub.makeFile(path, film());
    await becomes(await hub.post({ start: Date.UTC(2026, 4, count, 9), videoPath: path }), 'ready');
    await vi.waitFor(() => expect(existsSync(posterFile(hub.dataDir, id))).toBe(false), soon);
  });

  it('a recording posted again after its poster was lost, gets it again', async () => {
    await hub.makeFile(path, film());
    const start = Date.UTC(2026, 4, count, 8);
    const id = await post();
    await becomes(id, 'ready');
    await rm(posterFile(hub.dataDir, id));
    await hub.post({ start, videoPath: path, detections: [aDetection({ confidence: 0.5 })] });
    await vi.waitFor(() => expect(existsSync(posterFile(hub.dataDir, id))).toBe(true), soon);
  });
});
