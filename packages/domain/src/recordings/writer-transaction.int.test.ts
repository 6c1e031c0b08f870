import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import pLimit from 'p-limit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSpeciesDirectory } from '../species/directory.js';
import { requireLocks } from '../visits/locks.js';
import { createVisitIds } from '../visits/visits.store.js';
import { inWriterTransaction } from './writer-transaction.js';

describe('inWriterTransaction', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  /** The locks of each attempt at work whose n-th attempt requires the recordings `needs(n)`. */
  async function attempt(
    needs: (attempts: number) => number[],
  ): Promise<{ videos: number[]; isExclusive: boolean }[]> {
    const attempts: { videos: number[]; isExclusive: boolean }[] = [];
    const resources = {
      pool: database.pool,
      notifier: { notify: () => undefined, wake: () => undefined },
      directory: createSpeciesDirectory(database.pool),
      visitIds: createVisitIds(),
      limit: pLimit(1),
    };
    await inWriterTransaction(resources, { videos: [], species: [] }, async ({ locks }) => {
      attempts.push({ videos: [...locks.videos], isExclusive: locks.isExclusive });
      requireLocks(locks, { videos: needs(attempts.length) });
    });
    return attempts;
  }

  it('work that needs another lock once, is repeated with it, concurrent with others', async () => {
    const attempts = await attempt(() => [7]);
    expect(attempts).toEqual([
      { videos: [], isExclusive: false },
      { videos: [7], isExclusive: false },
    ]);
  });

  it('work that needs another lock at every attempt, finally runs exclusively', async () => {
    const attempts = await attempt((count) => [count]);
    expect(attempts.map(({ isExclusive }) => isExclusive)).toEqual([false, false, false, false, true]);
  });

  it('work that needs more locks than a connection may hold, runs exclusively at once', async () => {
    const attempts = await attempt((count) => Array.from({ length: 200 + count }, (_, at) => at));
    expect(attempts.map(({ isExclusive }) => isExclusive)).toEqual([false, true]);
  });
});
