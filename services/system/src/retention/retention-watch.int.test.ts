import { existsSync } from 'node:fs';
import { isStorageExhausted } from '@birdhub/domain/storage';
import { lockNames, withAdvisoryLock } from '@birdhub/shared/db';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestStorage, type TestStorage } from '../testing/create-test-storage.js';
import { RetentionWatch } from './retention-watch.js';

const hour = 3_600_000;

describe('retention watch', () => {
  let storage: TestStorage;
  let watches: RetentionWatch[];

  beforeAll(async () => {
    storage = await createTestStorage();
  });
  beforeEach(async () => {
    await storage.clear();
    await storage.change('retention', { days: 90, max_gb: 0, min_free_gb: 0, keep_best_per_species: 0 });
    watches = [];
  });
  afterEach(() => Promise.all(watches.map((watch) => watch.stop())));
  afterAll(() => storage.close());

  function watch(count = 1, deps = storage.deps): void {
    const intervals = { runMs: hour, pollMs: 20, retryMs: 60_000 };
    watches = Array.from({ length: count }, () => new RetentionWatch(deps, intervals));
    for (const one of watches) one.start();
  }

  const media = async () => (await storage.list()).map((row) => row.media);
  const exhausted = () => isStorageExhausted(storage.database.pool);
  const looks = () => new Promise((resolve) => setTimeout(resolve, 200));

  it('after an hour, purges recordings that are too old', async () => {
    for (const daysAgo of [100, 1]) await storage.add({ daysAgo });
    watch();
    await looks();
    expect(await media()).toEqual(['ready', 'ready']);
    storage.clock.advance(hour);
    await expect.poll(media).toEqual(['purged', 'ready']);
  });

  it('after the clock was set back, does not wait until it has caught up', async () => {
    for (const daysAgo of [100, 1]) await storage.add({ daysAgo });
    watch();
    await looks();
    storage.clock.advance(-5 * hour);
    await expect.poll(media).toEqual(['purged', 'ready']);
  });

  it('in several processes, purges once', async () => {
    for (const daysAgo of [100, 99, 2, 1]) await storage.add({ daysAgo });
    watch(3);
    storage.clock.advance(hour);
    await expect.poll(media).toEqual(['purged', 'purged', 'ready', 'ready']);
    const { rows } = await storage.database.pool.query(
      `SELECT payload FROM outbox WHERE subject = 'hub.v1.recording.purged'`,
    );
    expect(rows).toHaveLength(1);
  });

  it('for more than half of all, waits for a confirmation', async () => {
    await storage.add({ daysAgo: 100 });
    watch();
    storage.clock.advance(hour);
    await looks();
    expect(await media()).toEqual(['ready']);
    expect((await storage.get('/system/retention')).body.last_run).toMatchObject({
      started_by: 'schedule',
      deletedCount: 0,
      awaiting_confirmation: { count: 1, total: 1 },
    });
    await storage.post('/system/retention', { confirm: true });
    const { last_run } = (await storage.get('/system/retention')).body;
    expect(last_run).toMatchObject({ deletedCount: 1, awaiting_confirmation: null });
  });

  it('for more than half of all while the disk is low, purges only what frees the space', async () => {
    for (const daysAgo of [103, 102, 101, 1]) await storage.add({ daysAgo });
    await storage.change('retention', { min_free_gb: 1 });
    storage.disk.freeBytes = 1e9 - 50;
    watch();
    await expect.poll(media).toEqual(['purged', 'ready', 'ready', 'ready']);
    await looks();
    expect(await media()).toEqual(['purged', 'ready', 'ready', 'ready']);
    expect(await exhausted()).toBe(false);
    expect((await storage.get('/system/retention')).body.last_run).toMatchObject({
      deletedCount: 1,
      reasons: { age: 0, min_free: 1 },
      awaiting_confirmation: { count: 3, total: 4 },
    });
  });

  it('with more than half of all needed for space, purges nothing and reports a full disk', async () => {
    for (const daysAgo of [2, 1]) await storage.add({ daysAgo });
    await storage.change('retention', { min_free_gb: 1 });
    storage.disk.freeBytes = 1e9 - 150;
    watch();
    await expect.poll(exhausted).toBe(true);
    expect(await media()).toEqual(['ready', 'ready']);
  });

  it('when the disk runs low, purges the oldest at once', async () => {
    for (const daysAgo of [3, 2, 1]) await storage.add({ daysAgo });
    watch();
    await storage.change('retention', { min_free_gb: 1 });
    storage.disk.freeBytes = 1e9 - 50;
    await expect.poll(media).toEqual(['purged', 'ready', 'ready']);
    storage.disk.freeBytes = 1e9 + 50;
    await expect.poll(exhausted).toBe(false);
  });

  it('with favourites only, reports a full disk until there is space', async () => {
    await storage.add({ daysAgo: 100, favorite: true });
    watch();
    await storage.change('retention', { min_free_gb: 1 });
    storage.disk.freeBytes = 0;
    await expect.poll(exhausted).toBe(true);
    expect(watches[0]?.isExhausted()).toBe(true);
    expect(await media()).toEqual(['ready']);
    storage.disk.freeBytes = 2e9;
    await expect.poll(exhausted).toBe(false);
    expect(watches[0]?.isExhausted()).toBe(false);
  });

  it('with the disk short again right after a run that freed space, purges again and does not report it as full', async () => {
    for (const daysAgo of [5, 4, 3, 2, 1]) await storage.add({ daysAgo });
    await storage.change('retention', { min_free_gb: 1 });
    const changedAt = async () =>
      (await storage.database.pool.query('SELECT changed_at FROM storage_state')).rows;
    const before = await changedAt();
    let checksAfterFirst = 0;
    const readFreeBytes = async () => {
      const purged = (await media()).filter((state) => state === 'purged').length;
      if (purged === 1) checksAfterFirst += 1;
      return purged === 2 || checksAfterFirst === 1 ? 1e9 + 50 : 1e9 - 50;
    };
    watch(1, { ...storage.deps, readFreeBytes });
    await expect.poll(media).toEqual(['purged', 'purged', 'ready', 'ready', 'ready']);
    await looks();
    expect(await media()).toEqual(['purged', 'purged', 'ready', 'ready', 'ready']);
    expect(await changedAt()).toEqual(before);
  });

  it('with the disk still short after a run that freed space, does not report it as full', async () => {
    for (const daysAgo of [3, 2, 1]) await storage.add({ daysAgo });
    await storage.change('retention', { min_free_gb: 1 });
    storage.disk.freeBytes = 1e9 - 50;
    watch();
    await expect.poll(media).toEqual(['purged', 'ready', 'ready']);
    await looks();
    expect(await exhausted()).toBe(false);
    expect(await media()).toEqual(['purged', 'ready', 'ready']);
  });

  it.each([false, true])(
    'while another process runs retention, keeps the reported state %s',
    async (isExhausted) => {
      const { pool } = storage.database;
      await storage.add({ daysAgo: 1 });
      await storage.change('retention', { min_free_gb: 1 });
      await pool.query('UPDATE storage_state SET exhausted = $1', [isExhausted]);
      storage.disk.freeBytes = 0;
      await withAdvisoryLock(pool, lockNames.purge, async () => {
        watch();
        await looks();
        expect(await exhausted()).toBe(isExhausted);
        expect(watches[0]?.isExhausted()).toBe(isExhausted);
      });
    },
  );

  it('with space that uploads of the last day take, does not report the disk as full', async () => {
    await storage.change('retention', { min_free_gb: 1 });
    await storage.upload('waiting.mp4');
    storage.disk.freeBytes = 1e9 - 100;
    watch();
    await looks();
    expect(await exhausted()).toBe(false);
    storage.disk.freeBytes = 1e9 - 101;
    storage.clock.advance(60_000);
    await expect.poll(exhausted).toBe(true);
  });

  it('with less than half of the free space to keep, reports the disk as full whatever uploads take', async () => {
    await storage.change('retention', { min_free_gb: 1 });
    await storage.upload('waiting.mp4');
    await storage.database.pool.query('UPDATE uploaded_file SET bytes = 2e9');
    storage.disk.freeBytes = 0.5e9 - 1;
    watch();
    await expect.poll(exhausted).toBe(true);
  });

  it('that is stopped, removes no further uploads', async () => {
    await storage.change('retention', { min_free_gb: 1 });
    storage.disk.freeBytes = 0;
    const paths = Array.from({ length: 300 }, (_, index) => `stop/${index}.mp4`);
    const files = await Promise.all(paths.map((path) => storage.upload(path, { hoursAgo: 30 })));
    watch();
    await expect.poll(() => files.some((file) => !existsSync(file)), { interval: 1 }).toBe(true);
    await watches[0]?.stop();
    expect(files.some(existsSync)).toBe(true);
  });

  it('with an unreadable disk, does not report it as full', async () => {
    await storage.change('retention', { min_free_gb: 1 });
    storage.disk.freeBytes = undefined;
    watch();
    await looks();
    expect(await exhausted()).toBe(false);
  });
});
