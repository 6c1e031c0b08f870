import { existsSync, readFileSync } from 'node:fs';
import { rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMemoryBus, type MemoryBus } from '@birdhub/shared/bus';
import { posterFile } from '@birdhub/shared/media';
import { createOutboxRelay, type OutboxRelay } from '@birdhub/shared/outbox';
import { aDetection, anAuthor } from '@birdhub/shared/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestMedia, type TestMedia, testPicture, testTone } from '../testing/create-test-media.js';
import { openDerivedMedia } from './derived-media.js';
import { createMediaTools } from './media-tools.js';

const soon = { timeout: 15_000, interval: 20 };
const film = (...more: readonly string[]) => [...testPicture, ...more, '-c:v', 'libx264', '-shortest'];

describe('derived media', () => {
  let hub: TestMedia;
  let bus: MemoryBus;
  let relay: OutboxRelay;
  let close: () => Promise<void>;
  let path: string;
  let count = 0;

  beforeAll(async () => {
    hub = await createTestMedia();
  });
  beforeEach(() => {
    count += 1;
    path = `2026/05/${count}/video.mp4`;
    open();
  });
  afterEach(closeAll);
  afterAll(() => hub.close());

  function open(parts: Partial<TestMedia> = {}): void {
    bus = createMemoryBus(hub.log);
    relay = createOutboxRelay({ pool: hub.pool, bus, log: hub.log, pollMs: 20 });
    relay.start();
    ({ close } = openDerivedMedia({ ...hub, bus, lookMs: 50, ...parts }));
  }
  async function closeAll(): Promise<void> {
    await close();
    await relay.stop();
  }
  const post = () => hub.post({ start: Date.UTC(2026, 4, count, 8), videoPath: path });
  const becomes = (videoId: number, media: string) =>
    vi.waitFor(async () => expect((await hub.row(videoId)).media).toBe(media), soon);
  const jpegAt = (file: string) => readFileSync(file).subarray(0, 3).toString('hex');

  it('a recording whose file is there, is ready with its size, a poster and a spectrogram', async () => {
    const file = await hub.makeFile(path, film(...testTone));
    const id = await post();
    await becomes(id, 'ready');
    expect(await hub.row(id)).toEqual({
      media: 'ready',
      file_size: (await stat(file)).size,
      spectrogram_path: `2026/05/${count}/spectrogram_100.jpg`,
    });
    expect(jpegAt(posterFile(hub.dataDir, id))).toBe('ffd8ff');
    expect(jpegAt(join(hub.recordingsDir, `2026/05/${count}/spectrogram_100.jpg`))).toBe('ffd8ff');
  });

  it('a recording without sound, has no spectrogram', async () => {
    await hub.makeFile(path, film());
    const id = await post();
    await becomes(id, 'ready');
    expect((await hub.row(id)).spectrogram_path).toBeNull();
  });

  it('a recording of sound alone, has no poster', async () => {
    await hub.makeFile(path, testTone);
    const id = await post();
    await becomes(id, 'ready');
    expect(existsSync(posterFile(hub.dataDir, id))).toBe(false);
    expect((await hub.row(id)).spectrogram_path).not.toBeNull();
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

  it('a file that arrives after a scan took it as missing, is found, and not looked for for ever', async () => {
    const [early, late] = [
      await post(),
      await hub.post({ start: Date.UTC(2026, 4, count, 9), videoPath: `${path}.late.mp4` }),
    ];
    await hub.writer.noteMedia([early, late].map((videoId) => ({ videoId, state: 'missing' })));
    await hub.pool.query(`UPDATE video SET updated_at = now() - interval '25 hours' WHERE id = $1`, [late]);
    await hub.makeFile(`${path}.late.mp4`, film());
    await hub.makeFile(path, film());
    await becomes(early, 'ready');
    expect((await hub.row(late)).media).toBe('missing');
  });

  it('a file that nobody can read, is awaited while it is new, and missing then', async () => {
    const file = join(hub.recordingsDir, path);
    await hub.makeFile(path, film());
    await writeFile(file, 'nothing that anybody could play');
    const id = await post();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await hub.row(id)).media).toBe('pending');
    const before = new Date(Math.floor(Date.now() / 1000) * 1000 - 3_600_000);
    await utimes(file, before, before);
    await becomes(id, 'missing');
    const { rows } = await hub.pool.query('SELECT file_size, unreadable_at FROM video WHERE id = $1', [id]);
    expect(rows).toEqual([{ file_size: 31, unreadable_at: before }]);
    expect((await hub.pool.query('SELECT * FROM dead_letter')).rows).toEqual([]);
  });

  it('a folder in its place, holds nobody up', async () => {
    await hub.makeFile(`${path}/other.mp4`, film());
    await post();
    path = `2026/05/${count}/second.mp4`;
    await hub.makeFile(path, film());
    const id = await hub.post({ start: Date.UTC(2026, 4, count, 9), videoPath: path });
    await becomes(id, 'ready');
  });

  it('programs that are not installed, are done without', async () => {
    await closeAll();
    const nowhere = { ffmpegPath: '/no/ffmpeg', ffprobePath: '/no/ffprobe' };
    open({ tools: createMediaTools(nowhere, 1) });
    await hub.makeFile(path, film());
    const id = await post();
    await becomes(id, 'ready');
    expect(existsSync(posterFile(hub.dataDir, id))).toBe(false);
  });

  it('a recording that is deleted meanwhile, leaves nothing behind', async () => {
    await hub.makeFile(path, film(...testTone));
    const id = await post();
    await hub.writer.remove(id, anAuthor);
    path = `2026/05/${count}/next.mp4`;
    await hub.makeFile(path, film());
    await becomes(await hub.post({ start: Date.UTC(2026, 4, count, 9), videoPath: path }), 'ready');
    expect(existsSync(posterFile(hub.dataDir, id))).toBe(false);
  });

  it('posted again once a poster was lost, gets it anew', async () => {
    await hub.makeFile(path, film());
    const start = Date.UTC(2026, 4, count, 8);
    const id = await post();
    await becomes(id, 'ready');
    await rm(posterFile(hub.dataDir, id));
    await hub.post({ start, videoPath: path, detections: [aDetection({ confidence: 0.5 })] });
    await vi.waitFor(() => expect(existsSync(posterFile(hub.dataDir, id))).toBe(true), soon);
  });
});
