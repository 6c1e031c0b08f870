import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { aDetection, readCountedFiles, readFiles } from '@birdhub/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestStorage, type TestStorage } from '../testing/create-test-storage.js';
import { applyRetention } from './retention.js';

describe('POST /system/retention', () => {
  let storage: TestStorage;

  beforeAll(async () => {
    storage = await createTestStorage();
  });
  beforeEach(async () => {
    await storage.clear();
    await storage.change('retention', { days: 90, max_gb: 0, min_free_gb: 0, keep_best_per_species: 0 });
  });
  afterEach(async () => {
    const { pool } = storage.database;
    expect(await readCountedFiles(pool)).toEqual(await readFiles(pool));
  });
  afterAll(() => storage.close());

  const retain = (body: object = { confirm: true }) => storage.post('/system/retention', body);
  const none = { age: 0, max_gb: 0, min_free: 0, favorite: 0, best_of_species: 0 };
  const media = async () => (await storage.list()).map((row) => `${row.media} ${row.hasFile}`);
  const seen = (speciesName: string, confidence: number) => ({
    detections: [aDetection({ speciesName, confidence })],
  });

  it('with a limit of days, purges older recordings', async () => {
    for (const daysAgo of [200, 91, 90, 1]) await storage.add({ daysAgo });
    const { status, body, headers } = await retain();
    expect([status, body]).toEqual([
      200,
      { message: 'success', deletedCount: 2, deletedSize: 200, reasons: { ...none, age: 2 } },
    ]);
    expect(headers['x-hub-consistency-token']).toBeDefined();
    expect(await media()).toEqual(['purged false', 'purged false', 'ready true', 'ready true']);
  });

  it('without a limit of days, purges nothing by age', async () => {
    await storage.change('retention', { days: 0 });
    await storage.add({ daysAgo: 3_000 });
    expect((await retain()).body).toMatchObject({ deletedCount: 0, reasons: none });
  });

  it('as a dry run, lists what it would purge and purges nothing', async () => {
    await storage.add({ daysAgo: 100 });
    const { body } = await retain({ dry_run: true });
    expect(body).toMatchObject({ message: 'dry run', deletedCount: 1, reasons: { age: 1 } });
    expect(await media()).toEqual(['ready true']);
  });

  it('with GET, is null before the first run, then the counts of the last run', async () => {
    await storage.database.pool.query('UPDATE storage_state SET retention_at = NULL, retention_run = NULL');
    const state = async () => (await storage.get('/system/retention')).body;
    expect(await state()).toMatchObject({ policy: { days: 90 }, last_run: null });
    await storage.add({ daysAgo: 100 });
    await retain();
    expect((await state()).last_run).toEqual({
      finished_at: expect.stringMatching(/^\d{4}-.*Z$/),
      started_by: 'request',
      ...{ deletedCount: 1, deletedSize: 100, reasons: { ...none, age: 1 } },
      awaiting_confirmation: null,
    });
  });

  it('without a body, is a normal run', async () => {
    for (const daysAgo of [100, 1]) await storage.add({ daysAgo });
    expect((await storage.post('/system/retention')).body).toMatchObject({ deletedCount: 1 });
  });

  it('with other keys in the body, is refused', async () => {
    const { status, body } = await retain({ force: true });
    expect([status, body.code]).toEqual([400, 'invalid_request']);
  });

  it('for more than half of all, requires a confirmation', async () => {
    await storage.add({ daysAgo: 100 });
    const { status, body } = await retain({});
    expect([status, body.code]).toEqual([409, 'confirm_required']);
    expect(await media()).toEqual(['ready true']);
  });

  it('with too many gigabytes, purges the oldest until they fit', async () => {
    await storage.change('retention', { max_gb: 250e-9 });
    for (const daysAgo of [1, 4, 2, 3]) await storage.add({ daysAgo });
    expect((await retain()).body).toMatchObject({ deletedCount: 2, reasons: { ...none, max_gb: 2 } });
    expect(await media()).toEqual(['ready true', 'purged false', 'ready true', 'purged false']);
  });

  it('with too little free space, purges the oldest until there would be enough', async () => {
    await storage.change('retention', { min_free_gb: 1 });
    storage.disk.freeBytes = 1e9 - 150;
    for (const daysAgo of [1, 2, 3]) await storage.add({ daysAgo });
    expect((await retain()).body).toMatchObject({ reasons: { ...none, min_free: 2 } });
  });

  it('with too little free space, removes uploads without a recording before files of recordings', async () => {
    await storage.change('retention', { min_free_gb: 1 });
    storage.disk.freeBytes = 1e9 - 150;
    for (const daysAgo of [1, 2]) await storage.add({ daysAgo });
    const waiting = await storage.upload('waiting.mp4', { sizeBytes: 50, hoursAgo: 23 });
    const uploads = [
      await storage.upload('oldest.mp4', { hoursAgo: 26 }),
      await storage.upload('old.mp4', { hoursAgo: 25 }),
    ];
    expect((await retain({ dry_run: true })).body).toMatchObject({ deletedCount: 0 });
    expect(uploads.map(existsSync)).toEqual([true, true]);
    expect((await retain()).body).toMatchObject({ deletedCount: 0 });
    expect([...uploads, waiting].map(existsSync)).toEqual([false, false, true]);
    expect(await media()).toEqual(['ready true', 'ready true']);
  });

  it('within a day of the start of the service, removes no upload, as detectors have not posted yet', async () => {
    await storage.change('retention', { min_free_gb: 1, max_gb: 150e-9 });
    storage.disk.freeBytes = 1e9 - 50;
    for (const daysAgo of [1, 2]) await storage.add({ daysAgo });
    const upload = await storage.upload('waiting.mp4', { hoursAgo: 200 });
    storage.process.uptimeMs = 86_399_000;
    expect((await retain({ dry_run: true })).body).toMatchObject({ reasons: { ...none, max_gb: 1 } });
    await retain();
    expect(existsSync(upload)).toBe(true);
    storage.process.uptimeMs = 86_400_000;
    await retain();
    expect(existsSync(upload)).toBe(false);
  });

  it('with space that only uploads of the last day take, purges no recording for it', async () => {
    await storage.change('retention', { min_free_gb: 1, max_gb: 250e-9 });
    storage.disk.freeBytes = 1e9 - 150;
    for (const daysAgo of [1, 2]) await storage.add({ daysAgo });
    const upload = await storage.upload('waiting.mp4', { sizeBytes: 150 });
    expect((await retain()).body).toMatchObject({ deletedCount: 0 });
    expect(existsSync(upload)).toBe(true);
  });

  it('with more uploads of the last day than half of the free space to keep, purges recordings for the rest', async () => {
    await storage.change('retention', { min_free_gb: 1 });
    storage.disk.freeBytes = 0.5e9 - 150;
    for (const daysAgo of [1, 2, 3]) await storage.add({ daysAgo });
    await storage.upload('waiting.mp4');
    await storage.database.pool.query('UPDATE uploaded_file SET bytes = 2e9');
    expect((await retain()).body).toMatchObject({ reasons: { ...none, min_free: 2 } });
  });

  it('with too many gigabytes, removes older uploads without a recording, and no posted one', async () => {
    await storage.change('retention', { max_gb: 250e-9 });
    const posted = await storage.upload('posted.mp4', { hoursAgo: 25 });
    await storage.add({ daysAgo: 1, videoPath: 'posted.mp4' });
    await storage.add({ daysAgo: 2 });
    const upload = await storage.upload('unposted.mp4', { hoursAgo: 25 });
    const fresh = await storage.upload('fresh.mp4', { hoursAgo: 23 });
    expect((await retain()).body).toMatchObject({ deletedCount: 0 });
    expect([posted, upload, fresh].map(existsSync)).toEqual([true, false, true]);
  });

  it('with unknown free space, purges nothing', async () => {
    await storage.change('retention', { min_free_gb: 1 });
    storage.disk.freeBytes = undefined;
    await storage.add({ daysAgo: 1 });
    expect((await retain()).body).toMatchObject({ deletedCount: 0 });
  });

  const addStuck = (count: number, requestedAt: string, folder = `'stuck' || n || '/'`) =>
    storage.database.pool.query(
      `INSERT INTO file_removal (path, requested_at, tried_at)
       SELECT ${folder} || n || '.mp4', $2, now() FROM generate_series(1, $1) n`,
      [count, requestedAt],
    );

  it.each([
    ['ten files that cannot be removed', 10, '2026-05-20T12:00:01Z', 0],
    ['one file that cannot be removed', 1, '2026-05-20T12:00:01Z', 1],
    ['a file that was removed after ten others failed', 10, '2026-05-20T11:59:59Z', 1],
  ])(
    'with too little free space and %s, purges as many as it can',
    async (_, stuck, requestedAt, deletedCount) => {
      await storage.change('retention', { min_free_gb: 1 });
      storage.disk.freeBytes = 1e9 - 50;
      for (const daysAgo of [1, 2]) await storage.add({ daysAgo });
      await storage.database.pool.query(`UPDATE storage_state SET removed_at = '2026-05-20T12:00:00Z'`);
      await addStuck(stuck, requestedAt);
      expect((await retain()).body).toMatchObject({ deletedCount });
    },
  );

  it('with a folder from which ten files could not be removed, purges recordings of other folders', async () => {
    await storage.change('retention', { min_free_gb: 1 });
    storage.disk.freeBytes = 1e9 - 50;
    for (const videoPath of ['data/recordings/sticky/a.mp4', 'sticky/b.mp4', 'sticky/c/d.mp4', 'open/e.mp4'])
      await storage.add({ daysAgo: 99, videoPath });
    await addStuck(10, '2026-05-20T12:00:01Z', `'sticky/'`);
    expect((await retain()).body).toMatchObject({ deletedCount: 2 });
    expect(await media()).toEqual(['ready true', 'ready true', 'purged false', 'purged false']);
  });

  it('with ten files that could not be removed, purges no old recording either', async () => {
    await storage.add({ daysAgo: 100 });
    await storage.database.pool.query(`UPDATE storage_state SET removed_at = '2026-05-20T12:00:00Z'`);
    await addStuck(10, '2026-05-20T12:00:01Z');
    expect((await retain()).body).toMatchObject({ deletedCount: 0 });
    expect(await media()).toEqual(['ready true']);
  });

  it('with the disk of the recordings unmounted, purges no recording and forgets no upload', async () => {
    await storage.change('retention', { min_free_gb: 1, max_gb: 1e-9 });
    storage.disk.freeBytes = 0;
    for (const videoPath of ['a.mp4', 'b.mp4']) await storage.add({ daysAgo: 100, videoPath });
    await storage.upload('unposted.mp4', { hoursAgo: 30 });
    const { recordingsDir } = storage.deps;
    for (const name of readdirSync(recordingsDir)) rmSync(join(recordingsDir, name));
    expect((await retain()).body).toMatchObject({ deletedCount: 0 });
    expect(await media()).toEqual(['ready false', 'ready false']);
    const { rows } = await storage.database.pool.query('SELECT path FROM uploaded_file');
    expect(rows).toEqual([{ path: 'unposted.mp4' }]);
  });

  it('with a recording whose path is not in the recordings tree, purges the others', async () => {
    const outside = await storage.add({ daysAgo: 100 });
    for (const daysAgo of [99, 1, 1]) await storage.add({ daysAgo });
    await storage.database.pool.query(`UPDATE video SET video_path = '../outside.mp4' WHERE id = $1`, [
      outside.id,
    ]);
    expect((await retain()).body).toMatchObject({ deletedCount: 1 });
    expect((await media()).map((row) => row.split(' ')[0])).toEqual(['ready', 'purged', 'ready', 'ready']);
  });

  it('with files in a folder that it may not change, purges others instead', async () => {
    await storage.change('retention', { min_free_gb: 1 });
    storage.disk.freeBytes = 1e9 - 50;
    await storage.add({ daysAgo: 200, videoPath: 'locked/video.mp4' });
    for (const daysAgo of [2, 1]) await storage.add({ daysAgo });
    const { deps } = storage;
    const files = {
      removeAll: () => deps.files.removeAll(),
      canRemove: async (path: string) => !path.includes('locked/'),
    };
    const request = { isDryRun: false, isConfirmed: true, requestId: 'test', startedBy: 'request' } as const;
    expect(await applyRetention({ ...deps, files }, request)).toMatchObject({
      deletedCount: 1,
      reasons: { ...none, min_free: 1 },
    });
    expect(await media()).toEqual(['ready true', 'purged false', 'ready true']);
  });

  it('with favourites, keeps them even when they are not protected', async () => {
    await storage.change('retention', { protect_favorites: false, max_gb: 1e-9 });
    await storage.add({ daysAgo: 100, favorite: true });
    expect((await retain()).body).toMatchObject({ deletedCount: 0, reasons: { ...none, favorite: 1 } });
    expect(await media()).toEqual(['ready true']);
  });

  it('with keep_best_per_species, keeps reviewed ones first, then the most confident', async () => {
    await storage.change('retention', { keep_best_per_species: 1 });
    await storage.add({ daysAgo: 300, ...seen('Great Tit', 0.99) });
    const reviewed = await storage.add({ daysAgo: 300, ...seen('Great Tit', 0.4) });
    const blue = await storage.add({ daysAgo: 300, ...seen('Blue Tit', 0.7) });
    await storage.add({ daysAgo: 300, ...seen('Blue Tit', 0.6) });
    await storage.add({ daysAgo: 300, ...seen('Bird', 1) });
    await storage.database.pool.query('UPDATE detection SET reviewed = true WHERE video_id = $1', [
      reviewed.id,
    ]);
    expect((await retain()).body.reasons).toEqual({ ...none, age: 3, best_of_species: 2 });
    const kept = (await storage.list()).filter((row) => row.hasFile).map((row) => row.id);
    expect(kept).toEqual([reviewed.id, blue.id]);
  });

  it('run again, purges nothing more', async () => {
    for (const daysAgo of [100, 100, 1]) await storage.add({ daysAgo });
    await retain();
    expect((await retain({})).body).toMatchObject({ deletedCount: 0, deletedSize: 0 });
  });

  it('while another run is in progress, is refused', async () => {
    const { pool } = storage.database;
    const client = await pool.connect();
    await client.query(`SELECT pg_advisory_lock(hashtextextended('birdhub.clearing', 0))`);
    for (const path of ['/system/retention', '/storage/purge']) {
      const { status, body } = await storage.post(path, path.endsWith('purge') ? { date: '2026-05-01' } : {});
      expect([path, status, body.code]).toEqual([path, 409, 'job_running']);
    }
    client.release(true);
    await expect.poll(async () => (await retain()).status).toBe(200);
  });
});
