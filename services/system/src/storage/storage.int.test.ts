import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { derivedFolder } from '@birdhub/domain/media';
import { readCountedFiles, readFiles } from '@birdhub/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestStorage, type TestStorage } from '../testing/create-test-storage.js';

describe('storage', () => {
  let storage: TestStorage;

  beforeAll(async () => {
    storage = await createTestStorage();
  });
  beforeEach(() => storage.clear());
  afterEach(async () => {
    const { pool } = storage.database;
    expect(await readCountedFiles(pool)).toEqual(await readFiles(pool));
    expect((await pool.query('SELECT FROM file_removal')).rowCount).toBe(0);
  });
  afterAll(() => storage.close());

  const purge = (body: object) => storage.post('/storage/purge', { confirm: true, ...body });
  const old = '2026-05-10';
  const media = async () => (await storage.list()).map((row) => `${row.media} ${row.hasFile}`);

  it('stats, without recordings, are empty', async () => {
    expect((await storage.get('/storage/stats')).body).toEqual([]);
  });

  it('stats, with recordings, are by local days of the hub, newest first', async () => {
    await storage.change('general', { timezone: 'Pacific/Kiritimati' });
    for (const daysAgo of [0, 0.05, 0.2, 3]) await storage.add({ daysAgo, sizeBytes: 50 });
    await storage.add({ hasStoredSize: false });
    expect((await storage.get('/storage/stats')).body).toEqual([
      { date: '2026-05-21', fileCount: 2, totalSize: 100 },
      { date: '2026-05-20', fileCount: 1, totalSize: 50 },
      { date: '2026-05-18', fileCount: 1, totalSize: 50 },
    ]);
  });

  it('stats, with uploads, count those that no recording names', async () => {
    await storage.upload('posted.mp4', { sizeBytes: 50 });
    await storage.add({ videoPath: 'posted.mp4', sizeBytes: 50 });
    await storage.upload('unposted.mp4', { sizeBytes: 30, hoursAgo: 24 });
    await storage.upload('deleted.mp4');
    const { id } = await storage.add({ videoPath: 'deleted.mp4' });
    await storage.deps.writer.remove(id, { role: 'admin', requestId: 'test' });
    await storage.deps.files.removeAll();
    expect((await storage.get('/storage/stats')).body).toEqual([
      { date: '2026-05-20', fileCount: 1, totalSize: 50 },
      { date: '2026-05-19', fileCount: 1, totalSize: 30 },
    ]);
  });

  it('stats, after a change of the zone, are by its days', async () => {
    await storage.add({ daysAgo: 0.45 });
    const date = async () => (await storage.get('/storage/stats')).body[0].date;
    expect(await date()).toBe('2026-05-20');
    await storage.change('general', { timezone: 'America/New_York' });
    expect(await date()).toBe('2026-05-19');
  });

  it('purge, up to a day, clears what began on it or before', async () => {
    for (const daysAgo of [30, 10, 9]) await storage.add({ daysAgo });
    const { status, body, headers } = await purge({ date: old });
    expect([status, body]).toEqual([
      200,
      { message: 'success', deletedCount: 2, deletedSize: 200, keptFavorites: 0 },
    ]);
    expect(headers['x-hub-consistency-token']).toBeDefined();
    expect(await media()).toEqual(['purged false', 'purged false', 'ready true']);
  });

  it('purge, of any recordings, keeps detections and visits and publishes an event', async () => {
    const { id } = await storage.add({ daysAgo: 30 });
    await purge({ date: old });
    const { pool } = storage.database;
    expect((await pool.query('SELECT FROM detection')).rowCount).toBe(1);
    expect((await pool.query('SELECT FROM species_visit')).rowCount).toBe(1);
    const events = await pool.query(`SELECT payload FROM outbox WHERE subject = 'hub.v1.recording.purged'`);
    expect(events.rows).toEqual([{ payload: { video_ids: [id] } }]);
  });

  it('purge, from day to day, clears no other days', async () => {
    for (const daysAgo of [12, 11, 10, 9]) await storage.add({ daysAgo });
    const { body } = await purge({ start_date: '2026-05-09', end_date: '2026-05-10' });
    expect(body.deletedCount).toBe(2);
    expect(await media()).toEqual(['ready true', 'purged false', 'purged false', 'ready true']);
  });

  it('purge, as a dry run, lists what it would clear and clears nothing', async () => {
    await storage.add({ daysAgo: 30, sizeBytes: 7 });
    await storage.add({ daysAgo: 30, favorite: true });
    const { body } = await purge({ date: old, dry_run: true, confirm: false });
    expect(body).toEqual({ message: 'dry run', deletedCount: 1, deletedSize: 7, keptFavorites: 1 });
    expect(await media()).toEqual(['ready true', 'ready true']);
  });

  it('purge, of favourites, keeps them unless requested otherwise', async () => {
    await storage.add({ daysAgo: 30, favorite: true });
    expect((await purge({ date: old })).body).toMatchObject({ deletedCount: 0, keptFavorites: 1 });
    expect((await purge({ date: old, include_favorites: true })).body).toMatchObject({
      deletedCount: 1,
      keptFavorites: 0,
    });
    expect(await media()).toEqual(['purged false']);
  });

  it('purge, with a file of unknown size, measures and clears it', async () => {
    await storage.add({ daysAgo: 30, sizeBytes: 123, hasStoredSize: false });
    expect((await purge({ date: old })).body).toMatchObject({ deletedCount: 1, deletedSize: 123 });
    expect(await media()).toEqual(['purged false']);
  });

  it('purge, of a recording whose file has not arrived, keeps it', async () => {
    const { id } = await storage.add({ daysAgo: 30, hasStoredSize: false });
    await storage.database.pool.query(`UPDATE video SET video_path = 'late.mp4' WHERE id = $1`, [id]);
    expect((await purge({ date: old })).body).toMatchObject({ deletedCount: 0 });
    expect(await media()).toEqual(['pending false']);
  });

  it('purge, with crops and a spectrogram, deletes them too', async () => {
    const { id, file } = await storage.add({ daysAgo: 30, videoPath: 'data/recordings/2026/a/video.mp4' });
    const spectrogram = join(dirname(file), 'spectrogram_100.jpg');
    const crop = join(derivedFolder(storage.dataDir, 'crops', id), '1.jpg');
    await mkdir(dirname(crop), { recursive: true });
    for (const path of [spectrogram, crop]) await writeFile(path, 'picture');
    const path = 'data/recordings/2026/a/spectrogram_100.jpg';
    await storage.database.pool.query('UPDATE video SET spectrogram_path = $1', [path]);
    await purge({ date: old });
    for (const gone of [dirname(file), dirname(crop)])
      await expect(mkdir(gone), gone).resolves.toBeUndefined();
  });

  it('purge, with delete_history, deletes recordings and visits for good', async () => {
    const { recording } = await storage.add({ daysAgo: 30 });
    await storage.add({ daysAgo: 30, favorite: true });
    await purge({ date: old });
    const { body } = await purge({ date: old, delete_history: true });
    expect(body).toMatchObject({ deletedCount: 1, deletedSize: 0, keptFavorites: 1 });
    expect(await media()).toEqual(['ready true']);
    const { writer } = storage.deps;
    expect(await writer.post(recording, 'again')).toMatchObject({ deleted: true });
  });

  it('purge, of more than half, requires a confirmation', async () => {
    for (const daysAgo of [30, 30, 1]) await storage.add({ daysAgo });
    const { status, body } = await purge({ date: old, confirm: false });
    expect([status, body]).toMatchObject([
      409,
      {
        code: 'confirm_required',
        details: [{ path: '/confirm', message: expect.stringMatching(/\b2 of 3\b/) }],
      },
    ]);
    expect(await media()).toEqual(['ready true', 'ready true', 'ready true']);
    expect((await purge({ date: old })).status).toBe(200);
  });

  it('purge, of half, requires no confirmation', async () => {
    for (const daysAgo of [30, 1]) await storage.add({ daysAgo });
    expect((await purge({ date: old, confirm: false })).body).toMatchObject({ deletedCount: 1 });
  });

  it.each([
    [{}, ['/date', '/start_date', '/end_date']],
    [{ date: old, start_date: old, end_date: old }, ['/date', '/start_date', '/end_date']],
    [{ date: old, end_date: old }, ['/date', '/end_date']],
    [{ start_date: old }, ['/end_date']],
    [{ end_date: old }, ['/start_date']],
    [{ start_date: old, end_date: '2026-05-09' }, ['/end_date']],
    [{ date: '2026-02-30' }, ['/date']],
    [{ date: 20260510 }, ['/date']],
    [{ date: old, everything: true }, ['/everything']],
  ])('purge, with %j, names the fields', async (body, paths) => {
    const response = await storage.post('/storage/purge', body);
    expect([response.status, response.body.code]).toEqual([400, 'invalid_request']);
    expect(response.body.details.map((detail: { path: string }) => detail.path)).toEqual(paths);
  });

  it('purge, of many recordings, clears them all in batches', async () => {
    const { pool } = storage.database;
    await pool.query(
      `INSERT INTO video (video_path, start_time, end_time, content_hash, media, file_size)
       SELECT 'many/' || n, now() - interval '1 year', now() - interval '1 year', '', 'ready', n
       FROM generate_series(1, 1800) n`,
    );
    await pool.query(
      `INSERT INTO media_quarter SELECT date_bin('15 minutes', start_time, 'epoch'), count(*), sum(file_size)
       FROM video GROUP BY 1`,
    );
    await pool.query(`INSERT INTO hub_counter SELECT 'recordings_bytes', 0, sum(file_size) FROM video`);
    const { body } = await purge({ date: '2026-12-31' });
    expect(body).toMatchObject({ deletedCount: 1800, deletedSize: (1800 * 1801) / 2 });
  });
});
