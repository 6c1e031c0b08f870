import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestStorage, type TestStorage } from '../testing/create-test-storage.js';

let storage: TestStorage;
beforeAll(async () => {
  storage = await createTestStorage();
});
afterAll(() => storage.close());

type Step =
  | { kind: 'add'; daysAgo: number; favorite: boolean; hasStoredSize: boolean }
  | { kind: 'mark'; choice: number; favorite: boolean }
  | { kind: 'rules'; days: number; files: number; isProtecting: boolean; best: number }
  | { kind: 'disk'; lacksFiles: number }
  | { kind: 'retention' }
  | { kind: 'scan' }
  | { kind: 'purge'; daysAgo: number; deletesHistory: boolean };

const sizeBytes = 100;
const daysAgo = fc.nat(200);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    daysAgo,
    favorite: fc.boolean(),
    hasStoredSize: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('mark' as const), choice: fc.nat(), favorite: fc.boolean() }),
  fc.record({
    kind: fc.constant('rules' as const),
    days: fc.nat(100),
    files: fc.nat(5),
    isProtecting: fc.boolean(),
    best: fc.nat(2),
  }),
  fc.record({ kind: fc.constant('disk' as const), lacksFiles: fc.integer({ min: -1, max: 6 }) }),
  fc.record({ kind: fc.constant('retention' as const) }),
  fc.record({ kind: fc.constant('scan' as const) }),
  fc.record({ kind: fc.constant('purge' as const), daysAgo, deletesHistory: fc.boolean() }),
);

/** Ids of favourites that have their file. */
let favorites: Set<number>;

async function mark(choice: number, favorite: boolean): Promise<void> {
  const rows = (await storage.list()).filter((row) => row.hasFile);
  const row = rows[choice % Math.max(1, rows.length)];
  if (!row) return;
  await storage.deps.writer.markFavorite(row.id, favorite);
  if (favorite) favorites.add(row.id);
  else favorites.delete(row.id);
}

async function take(step: Step): Promise<void> {
  if (step.kind === 'add') {
    const { id } = await storage.add({ ...step, sizeBytes });
    if (step.favorite) favorites.add(id);
  } else if (step.kind === 'mark') await mark(step.choice, step.favorite);
  else if (step.kind === 'disk') storage.disk.freeBytes = 1e9 - step.lacksFiles * sizeBytes;
  else if (step.kind === 'retention') await storage.post('/system/retention', { confirm: true });
  else if (step.kind === 'scan') await storage.post('/system/recordings/scan');
  else if (step.kind === 'purge') {
    const date = new Date(Date.UTC(2026, 4, 20) - step.daysAgo * 86_400_000).toISOString().slice(0, 10);
    await storage.post('/storage/purge', { date, delete_history: step.deletesHistory, confirm: true });
  } else
    await storage.change('retention', {
      days: step.days,
      max_gb: (step.files * sizeBytes) / 1e9,
      min_free_gb: 1,
      protect_favorites: step.isProtecting,
      keep_best_per_species: step.best,
    });
}

it('favourites, in retention and in a purge by days, keep their files', async () => {
  let purged = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 8, maxLength: 25 }), async (steps) => {
      await storage.clear();
      favorites = new Set();
      for (const step of steps) {
        await take(step);
        const rows = await storage.list();
        const kept = rows.filter((row) => row.favorite && row.hasFile).map((row) => row.id);
        expect(kept).toEqual([...favorites].sort((a, b) => a - b));
        expect(rows.filter((row) => row.media === 'purged' && row.hasFile)).toEqual([]);
        purged += rows.filter((row) => row.media === 'purged').length;
      }
    }),
    { numRuns: 40 },
  );
  expect(purged).toBeGreaterThan(0);
});
