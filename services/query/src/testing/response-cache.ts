import type { Change } from '@birdhub/shared/db';
import type pg from 'pg';
import type { CacheTags } from '../response-cache/cache-entries.js';
import { type Fetcher, ResponseCache } from '../response-cache/response-cache.js';

/** Stands for the primary pool; it cannot be queried. */
export const pool = { name: 'primary' } as unknown as pg.Pool;
export const replica = { name: 'replica' } as unknown as pg.Pool;
/** Tags of the recordings of one day. */
export const day: CacheTags = { recordings: { from: 0, to: 86_400_000 } };
export const inDay: Change = { kind: 'recordings', from: 1_000, to: 2_000 };
export const muchLater: Change = { kind: 'recordings', from: 900_000_000, to: 900_001_000 };

/** Creates a cache whose change notices are sent by the test. */
export function setUpCache({ hasReplica = false } = {}) {
  const state = { isListening: true };
  const cache = new ResponseCache({
    database: { pool, readPool: hasReplica ? replica : pool, hasReplica },
    maxBytes: 1024 * 1024,
    budgetBytes: 1024 * 1024,
    isListening: () => state.isListening,
  });
  let sequence = 0;
  const notify = (...changes: Change[]) => {
    sequence += 1;
    cache.onChange({ origin: 'writer', sequence, changes });
  };
  const read = (fetch: Fetcher, token?: string) => cache.read({ key: () => 'key', fetch, token });
  return { cache, state, notify, read };
}

/** Creates a fetcher with numbered responses, which the test releases with `finish`. */
export function aFetcher(tags: CacheTags | undefined = day) {
  const pools: pg.Pool[] = [];
  const waiting: (() => void)[] = [];
  const fetch: Fetcher = (from) => {
    const number = pools.push(from);
    return new Promise((resolve) => {
      waiting.push(() => resolve({ json: String(number), tags }));
    });
  };
  const finish = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  return { fetch, finish, pools };
}

/** Reads and releases the response immediately. */
export async function readNow(
  { read }: ReturnType<typeof setUpCache>,
  { fetch, finish }: ReturnType<typeof aFetcher>,
  token?: string,
): Promise<string> {
  const reading = read(fetch, token);
  // A read that waits for a change notice starts 100 ms later.
  const timer = setInterval(finish, 1);
  const { body } = await reading;
  clearInterval(timer);
  return body.toString();
}
