import { setTimeout as pause } from 'node:timers/promises';
import { createLog } from '@birdhub/shared/log';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { type ManualClock, manualClock } from '@birdhub/testing/clocks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ExternalApiCache, type ExternalQuery } from './external-api-cache.js';

const now = Date.UTC(2026, 4, 1, 8);
const hour = 3_600_000;

describe('ExternalApiCache', () => {
  let database: TestDatabase;
  let clock: ManualClock;
  let cache: ExternalApiCache;
  let lines: { level: string; msg: string }[];
  let fetches: number;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    await database.pool.query('TRUNCATE outside_answer');
    clock = manualClock(now);
    lines = [];
    cache = aProcess();
    fetches = 0;
  });
  afterAll(() => database.drop());

  function aProcess(): ExternalApiCache {
    const write = (line: string) => void lines.push(JSON.parse(line));
    return new ExternalApiCache({ ...database, clock, log: createLog('query', 'info', { write }) });
  }

  const aQuery = (fetch: () => unknown, key = 'US'): ExternalQuery<unknown> => ({
    service: 'stub',
    key,
    freshMs: () => 4 * hour,
    retryMs: 60_000,
    async fetch() {
      fetches += 1;
      return fetch();
    },
  });
  const returning = (value: unknown, key?: string) => aQuery(() => value, key);
  const failing = (key?: string) =>
    aQuery(() => {
      throw new Error('down');
    }, key);
  const countRows = async () =>
    (await database.pool.query('SELECT count(*) FROM outside_answer')).rows[0]?.count;

  it('an entry never fetched, is fetched and returned', async () => {
    expect(await cache.get(returning({ list: [1] }))).toEqual({
      value: { list: [1] },
      isStale: false,
      fetchAgainAt: now + 4 * hour,
    });
  });

  it('a fresh entry, is not fetched again, also by another process', async () => {
    await cache.get(returning('first'));
    clock.advance(4 * hour - 1);
    expect(await cache.get(returning('second'))).toMatchObject({ value: 'first', isStale: false });
    expect(await aProcess().get(returning('second'))).toMatchObject({ value: 'first', isStale: false });
    expect(fetches).toBe(1);
  });

  it('an expired entry, is fetched again', async () => {
    await cache.get(returning('first'));
    clock.advance(4 * hour);
    expect(await cache.get(returning('second'))).toMatchObject({ value: 'second', isStale: false });
  });

  it('a freshness that depends on the result, determines when it is fetched again', async () => {
    const query = { ...returning([]), freshMs: (value: unknown) => (value as unknown[]).length + 5 };
    await cache.get(query);
    clock.advance(5);
    await cache.get(query);
    expect(fetches).toBe(2);
  });

  it.each([false, 0, '', null, []])('the result %j, is stored', async (value) => {
    await cache.get(returning(value));
    expect(await aProcess().get(failing())).toMatchObject({ value, isStale: false });
  });

  it('a failure without an older result, is undefined and stale, and not retried within retryMs', async () => {
    expect(await cache.get(failing())).toEqual({
      value: undefined,
      isStale: true,
      fetchAgainAt: now + 60_000,
    });
    clock.advance(59_999);
    expect(await cache.get(returning('x'))).toMatchObject({ value: undefined, isStale: true });
    clock.advance(1);
    expect(await cache.get(returning('x'))).toMatchObject({ value: 'x', isStale: false });
    expect(fetches).toBe(2);
  });

  it('a failure with an older result, returns it as stale until a fetch succeeds', async () => {
    await cache.get(returning('old'));
    clock.advance(5 * hour);
    expect(await cache.get(failing())).toMatchObject({ value: 'old', isStale: true });
    clock.advance(1);
    expect(await aProcess().get(returning('new'))).toMatchObject({ value: 'old', isStale: true });
    clock.advance(60_000);
    expect(await cache.get(returning('new'))).toMatchObject({ value: 'new', isStale: false });
  });

  it('several failures and a success, log one warning and one info', async () => {
    for (const query of [failing(), failing(), returning('x'), returning('y')]) {
      await cache.get(query);
      clock.advance(60_000);
    }
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'info']);
  });

  it('other keys, are other results', async () => {
    await cache.get(returning('us', 'US'));
    expect(await cache.get(returning('gb', 'GB'))).toMatchObject({ value: 'gb' });
  });

  it('many reads at once in two processes, share one request', async () => {
    const slow = () => aQuery(() => pause(150, 'slow'));
    const processes = [cache, aProcess()];
    const all = await Promise.all(Array.from({ length: 20 }, (_, at) => processes[at % 2]?.get(slow())));
    expect(all.map((result) => result?.value)).toEqual(Array(20).fill('slow'));
    expect(fetches).toBe(1);
  });

  it('many reads at once in two processes with a failure, all return the older result', async () => {
    await cache.get(returning('old'));
    clock.advance(5 * hour);
    const slowFailure = () => aQuery(async () => Promise.reject(await pause(150, new Error('down'))));
    const all = await Promise.all([cache, aProcess(), cache].map((each) => each.get(slowFailure())));
    expect(all).toEqual(Array(3).fill(expect.objectContaining({ value: 'old', isStale: true })));
    expect(fetches).toBe(2);
  });

  it('a lock of a killed process, is taken over when it expires', async () => {
    void cache.get(aQuery(() => new Promise(() => undefined)));
    await pause(50);
    clock.advance(10_000);
    expect(await aProcess().get(returning('after all'))).toMatchObject({ value: 'after all' });
  });

  it('a fetch by another process beyond the wait limit, returns the stored result as stale', async () => {
    await cache.get(returning('old'));
    clock.advance(5 * hour);
    void cache.get(aQuery(() => new Promise(() => undefined)));
    await pause(50);
    expect(await aProcess().get(returning('new'))).toMatchObject({ value: 'old', isStale: true });
  });

  it('a result two months old and one that never succeeded, are deleted by the next fetch', async () => {
    await cache.get(returning('x', 'old'));
    await cache.get(failing('never'));
    clock.advance(61 * 24 * hour);
    await cache.get(returning('y', 'new'));
    expect(await countRows()).toBe(1);
  });
});
