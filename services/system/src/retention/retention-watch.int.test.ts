import { isStorageExhausted } from '@birdhub/domain/storage';
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

  function watch(count = 1): void {
    const intervals = { runMs: hour, pollMs: 20, retryMs: 60_000 };
    watches = Array.from({ length: count }, () => new RetentionWatch(storage.dependencies, intervals));
    for (const one of watches) one.start();
  }

  const media = async () => (await storage.list()).map((row) => row.media);
  const exhausted = () => isStorageExhausted(storage.database.pool);
  const looks = () => new Promise((resolve) => setTimeout(resolve, 200));

  it('an hour later, clears what is too old', async () => {
    for (const daysAgo of [100, 1]) await storage.add({ daysAgo });
    watch();
    await looks();
    expect(await media()).toEqual(['ready', 'ready']);
    storage.clock.advance(hour);
    await expect.poll(media).toEqual(['purged', 'ready']);
  });

  it('several processes, clear as one', async () => {
    for (const daysAgo of [100, 99, 2, 1]) await storage.add({ daysAgo });
    watch(3);
    storage.clock.advance(hour);
    await expect.poll(media).toEqual(['purged', 'purged', 'ready', 'ready']);
    const { rows } = await storage.database.pool.query(
      `SELECT payload FROM outbox WHERE subject = 'hub.v1.recording.purged'`,
    );
    expect(rows).toHaveLength(1);
  });

  it('more than half of all, waits for a confirmation', async () => {
    await storage.add({ daysAgo: 100 });
    watch();
    storage.clock.advance(hour);
    await looks();
    expect(await media()).toEqual(['ready']);
  });

  it('the disk runs short, clears the oldest at once', async () => {
    for (const daysAgo of [3, 2, 1]) await storage.add({ daysAgo });
    watch();
    await storage.change('retention', { min_free_gb: 1 });
    storage.disk.freeBytes = 1e9 - 50;
    await expect.poll(media).toEqual(['purged', 'ready', 'ready']);
    storage.disk.freeBytes = 1e9 + 50;
    await expect.poll(exhausted).toBe(false);
  });

  it('only favourites are left, says that the disk is full until there is space', async () => {
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

  it('a disk that cannot be read, is not full', async () => {
    await storage.change('retention', { min_free_gb: 1 });
    storage.disk.freeBytes = undefined;
    watch();
    await looks();
    expect(await exhausted()).toBe(false);
  });
});
