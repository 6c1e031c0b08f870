import { execFile } from 'node:child_process';
import { mkdir, rm, symlink, truncate, unlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { readCountedFiles, readFiles } from '@birdhub/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aMovie } from '../testing/a-movie.js';
import { createTestStorage, type TestStorage, testNow } from '../testing/create-test-storage.js';
import { createScanJob } from './scan-job.js';

const run = promisify(execFile);
const longAgo = new Date(testNow - 86_400_000);

const noProgress = { total: 0, processed: 0, generated: 0, failed: 0, skipped: 0, failures: [] };

describe('POST /system/recordings/scan', () => {
  let storage: TestStorage;

  beforeAll(async () => {
    storage = await createTestStorage();
  });
  beforeEach(() => storage.clear());
  afterEach(async () => {
    const { pool } = storage.database;
    expect(await readCountedFiles(pool)).toEqual(await readFiles(pool));
  });
  afterAll(() => storage.close());

  const whole = (path: string) => join(storage.deps.recordingsDir, path);
  const age = (path: string, at = longAgo) => utimes(whole(path), at, at);

  async function place(path: string, bytes = aMovie(), at = longAgo): Promise<void> {
    await mkdir(dirname(whole(path)), { recursive: true });
    await writeFile(whole(path), bytes);
    await age(path, at);
  }

  async function scan(options?: object) {
    const { status, body } = await storage.post('/system/recordings/scan', options);
    expect(status).toBe(200);
    return body;
  }

  const found = { message: 'success', imported: 0, already_known: 0, missing_files: 0, unreadable: 0 };
  const media = async () => (await storage.list()).map((row) => row.media);

  async function listImported() {
    const { rows } = await storage.database.pool.query(
      `SELECT camera_id, video_path, start_time, end_time, media, file_size FROM video ORDER BY video_path`,
    );
    return rows;
  }

  it('a file without a recording, becomes one', async () => {
    await storage.change('general', { timezone: 'Europe/Berlin' });
    await place('2026/05/01/081530/video.mp4', aMovie({ seconds: 12 }));
    expect(await scan()).toEqual({ ...found, imported: 1 });
    expect(await listImported()).toEqual([
      {
        camera_id: '',
        video_path: 'data/recordings/2026/05/01/081530/video.mp4',
        start_time: new Date('2026-05-01T06:15:30Z'),
        end_time: new Date('2026-05-01T06:15:42Z'),
        media: 'ready',
        file_size: aMovie().length,
      },
    ]);
  });

  it('a second scan, imports no file again', async () => {
    for (let index = 0; index < 5; index += 1) await place(`2026/05/01/08150${index}/video.mp4`);
    await scan();
    expect(await scan()).toEqual({ ...found, already_known: 5 });
  });

  it('a folder with the name of a camera, sets the camera', async () => {
    await storage.change('video', { cameras: [{ id: 'nest' }] });
    await storage.add({ cameraId: 'garden', videoPath: 'first.mp4' });
    await place('garden/2026/05/01/081530.mp4');
    await place('2026/05/01/nest/081530.mp4');
    await scan();
    const cameras = (await listImported()).map((row) => row.camera_id).sort();
    expect(cameras).toEqual(['garden', 'garden', 'nest']);
  });

  it('a path without a time, has the time of the container, or else of the file system', async () => {
    const createdAt = Date.UTC(2026, 3, 30, 7);
    await place('a.mp4', aMovie({ createdAt }));
    await place('b.mp4');
    await scan();
    const starts = (await listImported()).map((row) => row.start_time);
    expect(starts).toEqual([new Date(createdAt), longAgo]);
  });

  it('a container of another kind, has its duration', async () => {
    const args = [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      'testsrc=d=2:s=64x64:r=5',
      '-y',
      whole('2026-05-01_081530.mkv'),
    ];
    await run('ffmpeg', args);
    await age('2026-05-01_081530.mkv');
    expect(await scan()).toMatchObject({ imported: 1 });
    const [row] = await listImported();
    expect(row.end_time - row.start_time).toBe(2_000);
  });

  it.each(['wav', 'mp3', 'flac', 'ogg', 'opus', 'm4a', 'aac'])(
    'a file of %s, becomes a recording with its length',
    async (extension) => {
      const path = `2026-05-01_081530.${extension}`;
      await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'sine=f=3000:d=4', '-y', whole(path)]);
      await age(path);
      expect(await scan()).toMatchObject({ imported: 1, unreadable: 0 });
      const [row] = await listImported();
      expect(row).toMatchObject({ video_path: `data/recordings/${path}`, media: 'ready' });
      // An ADTS file has no length of its own; ffprobe estimates it.
      expect(Math.abs(row.end_time - row.start_time - 4_000)).toBeLessThan(300);
    },
  );

  it('the file of a recording, by either spelling of its path, is known', async () => {
    await storage.add({ videoPath: 'a/video.mp4' });
    await storage.add({ videoPath: 'data/recordings/b/video.mp4' });
    expect(await scan()).toEqual({ ...found, already_known: 2 });
  });

  it('the file of a deleted recording, is not imported', async () => {
    const { id } = await storage.add({ videoPath: '2026/05/01/081530/video.mp4' });
    await storage.deps.writer.remove(id, { role: 'admin', requestId: 'test' });
    await storage.database.pool.query('DELETE FROM file_removal');
    expect(await scan()).toEqual({ ...found, already_known: 1 });
    expect(await listImported()).toEqual([]);
  });

  it('a nested folder data/recordings, is not confused with the recordings folder', async () => {
    await storage.add({ videoPath: 'data/recordings/a.mp4' });
    const inner = join(storage.deps.recordingsDir, 'data/recordings/a.mp4');
    await mkdir(dirname(inner), { recursive: true });
    await writeFile(inner, 'another film');
    expect(await scan()).toEqual({ ...found, already_known: 1, unreadable: 1 });
    expect(await media()).toEqual(['ready']);
  });

  it('a recording whose file is missing, is missing until it is back', async () => {
    const { file } = await storage.add({ daysAgo: 1 });
    await storage.add({ daysAgo: 2 });
    await unlink(file);
    expect(await scan()).toEqual({ ...found, already_known: 1, missing_files: 1 });
    expect(await media()).toEqual(['missing', 'ready']);
    expect(await scan()).toEqual({ ...found, already_known: 1, missing_files: 1 });
    await writeFile(file, 'film');
    expect(await scan()).toEqual({ ...found, already_known: 2 });
    expect(await media()).toEqual(['ready', 'ready']);
  });

  it('a recording without its file, is awaited for ten minutes', async () => {
    for (const daysAgo of [0, 1]) {
      const { file } = await storage.add({ daysAgo, hasStoredSize: false });
      await unlink(file);
    }
    expect(await scan()).toEqual({ ...found, missing_files: 1 });
    expect(await media()).toEqual(['pending', 'missing']);
  });

  it('a purged file that is back, is ready again', async () => {
    const { file } = await storage.add({ daysAgo: 30 });
    await storage.post('/storage/purge', { date: '2026-05-01', confirm: true });
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, 'film');
    await scan();
    expect(await media()).toEqual(['ready']);
  });

  it('a file waiting for removal, is not restored', async () => {
    const { id, file } = await storage.add({ daysAgo: 30 });
    const purge = { recordings: [{ id, sizeBytes: 0 }], includeFavorites: false };
    await storage.deps.writer.purge(purge, 'test');
    await scan();
    expect(await media()).toEqual(['purged']);
    await storage.deps.files.removeAll();
    await expect(unlink(file)).rejects.toThrow('ENOENT');
  });

  it('a file with a new size, is counted with it', async () => {
    const { file } = await storage.add({ sizeBytes: 500 });
    await truncate(file, 20);
    await scan();
    expect((await storage.get('/storage/stats')).body).toMatchObject([{ totalSize: 20 }]);
  });

  it('links, empty files, invalid names and files without video, are counted and not imported', async () => {
    await place('2026/05/01/081530/video.mp4');
    await symlink(whole('2026'), whole('linked'));
    await symlink(whole('2026/05/01/081530/video.mp4'), whole('linked.mp4'));
    await place('empty.mp4', Buffer.alloc(0));
    await place('broken.mp4', Buffer.from('no film at all'));
    await place('bad\nname.mp4');
    await place('back\\slash.mp4');
    await writeFile(
      Buffer.concat([Buffer.from(`${whole('')}/`), Buffer.from([0xff, 0xfe]), Buffer.from('.mp4')]),
      'x',
    );
    for (const ignored of ['spectrogram.jpg', 'notes.txt', '.video.mp4', '.trash/081530.mp4'])
      await place(ignored);
    expect(await scan()).toEqual({ ...found, imported: 1, unreadable: 7 });
  });

  it('a new file while a processor is alive, is left to it', async () => {
    await storage.database.pool.query(
      `INSERT INTO processor_heartbeat (data, updated_at) VALUES ('{}', $1)`,
      [new Date(testNow)],
    );
    await place('2026/05/20/115930/video.mp4', aMovie(), new Date(testNow - 30_000));
    expect(await scan()).toEqual({ ...found, message: 'success, 1 files are still arriving' });
    storage.clock.advance(31_000);
    expect(await scan()).toMatchObject({ imported: 1 });
    storage.clock.set(testNow);
  });

  it('a file written just now, is imported if it does not change', async () => {
    await place('2026/05/20/a/115959.mp4', aMovie(), new Date(testNow - 1_000));
    await place('2026/05/20/b/115959.mp4', aMovie(), new Date(testNow - 1_000));
    const scanning = scan();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await place('2026/05/20/b/115959.mp4', Buffer.concat([aMovie(), Buffer.alloc(8)]), new Date(testNow));
    expect(await scanning).toMatchObject({ imported: 1, message: expect.stringContaining('1 files') });
  });

  it('posts during a scan, are stored as posted', async () => {
    const { writer } = storage.deps;
    const posts = [];
    for (let index = 10; index < 50; index += 1) {
      const path = `2026/05/01/0815${index}/video.mp4`;
      await place(path);
      posts.push({ videoPath: `data/recordings/${path}`, start: Date.UTC(2026, 4, 1, 8, 15, index) });
    }
    const { recording } = await storage.add();
    const posting = posts.map((post) =>
      writer.post({ ...recording, ...post, end: post.start + 10_000, cameraId: '' }, 'test'),
    );
    await Promise.all([scan(), ...posting]);
    const { rows } = await storage.database.pool.query(
      'SELECT count(*) AS videos, sum(detection_count) AS detections FROM video',
    );
    expect(rows).toEqual([{ videos: 41, detections: 41 }]);
  });

  it('an unreadable file, stays missing until it changes', async () => {
    const { id, file } = await storage.add({ daysAgo: 1, hasStoredSize: false });
    await writeFile(file, 'nothing that anybody could play');
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    const look = async (hours: number) => {
      await utimes(file, hoursAgo(hours), hoursAgo(hours));
      storage.clock.set(Date.now());
    };
    await look(5);
    const { signal } = new AbortController();
    expect(await storage.inspect(id, { signal })).toBe('unreadable');
    expect(await scan()).toMatchObject({ already_known: 1, missing_files: 1 });
    expect(await scan()).toMatchObject({ already_known: 1, missing_files: 1 });
    expect(await media()).toEqual(['missing']);
    await look(4);
    expect(await scan()).toMatchObject({ missing_files: 1 });
    await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=d=1:s=64x64:r=5', '-y', file]);
    await look(3);
    expect(await scan()).toEqual({ ...found, already_known: 1 });
    expect(await media()).toEqual(['ready']);
    storage.clock.set(testNow);
  });

  it.each([
    ['empty', false, 2],
    ['missing', true, 2],
    ['nearly empty', false, 21],
  ])(
    'a recordings folder that is %s, changes nothing without a confirmation',
    async (state, isGone, count) => {
      for (let index = 0; index < count; index += 1) await storage.add({ daysAgo: 1 });
      const { recordingsDir } = storage.deps;
      await rm(recordingsDir, { recursive: true });
      if (!isGone) await mkdir(recordingsDir);
      if (state === 'nearly empty') await storage.add({ daysAgo: 1 });
      const before = await media();
      const { status, body } = await storage.post('/system/recordings/scan');
      expect([status, body]).toMatchObject([
        409,
        {
          code: 'confirm_required',
          details: [{ path: '/confirm' }],
          error: expect.stringMatching(/mounted/),
        },
      ]);
      expect(await media()).toEqual(before);
      expect(await scan({ confirm: true })).toMatchObject({ missing_files: count });
      await mkdir(recordingsDir, { recursive: true });
    },
  );

  it('a disk that disappears during a scan, leaves later recordings unchanged', async () => {
    for (let index = 0; index < 3; index += 1) await storage.add({ daysAgo: 1 });
    const { recordingsDir, settings } = storage.deps;
    const unmount = {
      // The settings are read after the first check.
      async current() {
        await rm(recordingsDir, { recursive: true });
        return settings.current();
      },
    };
    const { inspect, deps } = storage;
    const job = createScanJob({ ...deps, settings: unmount, ffprobePath: 'ffprobe', inspect });
    const scanning = job.perform({
      ...{ parameters: { background: true }, startedAt: new Date(), isResumed: false },
      ...{ progress: noProgress, checkpoint: undefined, result: undefined },
      ...{ signal: new AbortController().signal, report: async () => undefined },
    });
    await expect(scanning).rejects.toMatchObject({ sentences: [{ code: 'recordings_absent' }] });
    await mkdir(recordingsDir);
    expect(await media()).toEqual(['ready', 'ready', 'ready']);
  });

  it('a missing folder, finds nothing', async () => {
    await rm(storage.deps.recordingsDir, { recursive: true });
    expect(await scan()).toEqual(found);
    await mkdir(storage.deps.recordingsDir);
  });
});
