import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import {
  aFetcher,
  day,
  inDay,
  muchLater,
  pool,
  readNow,
  replica,
  setUpCache,
} from '../testing/response-cache.js';
import { type Fetcher, SeenChanges } from './response-cache.js';

/** JSON that compresses to less than half. */
const aLargeJson = (bytes: number) =>
  JSON.stringify(Array.from({ length: bytes / 8 }, (_, at) => 1_000_000 + at));

describe('read', () => {
  it('the same key again, is read from memory', async () => {
    const [hub, fetcher] = [setUpCache(), aFetcher()];
    expect([await readNow(hub, fetcher), await readNow(hub, fetcher)]).toEqual(['1', '1']);
    expect(fetcher.pools).toEqual([pool]);
  });

  it('a key after a change of its tags, is fetched again', async () => {
    const [hub, fetcher] = [setUpCache(), aFetcher()];
    await readNow(hub, fetcher);
    hub.notify(muchLater);
    expect(await readNow(hub, fetcher)).toBe('1');
    hub.notify(muchLater, inDay);
    expect(await readNow(hub, fetcher)).toBe('2');
  });

  it('a response without tags, is not stored', async () => {
    const hub = setUpCache();
    let count = 0;
    const untagged: Fetcher = async () => {
      count += 1;
      return { json: String(count) };
    };
    await hub.read(untagged);
    expect((await hub.read(untagged)).body.toString()).toBe('2');
  });

  it('equal reads at once, share one response', async () => {
    const [{ read }, { fetch, finish, pools }] = [setUpCache(), aFetcher()];
    const reading = [read(fetch), read(fetch)];
    await turn();
    finish();
    const [first, second] = await Promise.all(reading);
    expect(second).toBe(first);
    expect(pools).toHaveLength(1);
  });

  it('equal reads before and after a change notice, are fetched separately', async () => {
    const [{ read, notify }, { fetch, finish }] = [setUpCache(), aFetcher()];
    const first = read(fetch);
    await turn();
    notify(inDay);
    const second = read(fetch);
    await turn();
    finish();
    expect((await first).body.toString()).toBe('1');
    expect((await second).body.toString()).toBe('2');
  });

  it('a response changed during its fetch, is returned but not stored', async () => {
    const [hub, fetcher] = [setUpCache(), aFetcher()];
    const early = hub.read(fetcher.fetch);
    await turn();
    hub.notify(inDay);
    fetcher.finish();
    await early;
    expect(await readNow(hub, fetcher)).toBe('2');
  });

  it('a response with other changes during its fetch, is stored', async () => {
    const [hub, fetcher] = [setUpCache(), aFetcher()];
    const early = hub.read(fetcher.fetch);
    await turn();
    hub.notify(muchLater);
    fetcher.finish();
    await early;
    expect(await readNow(hub, fetcher)).toBe('1');
  });

  it('possibly missed change notices, clear everything stored or in flight', async () => {
    const [hub, fetcher] = [setUpCache(), aFetcher()];
    await readNow(hub, fetcher);
    hub.cache.onGap();
    const during = hub.read(fetcher.fetch);
    await turn();
    hub.cache.onGap();
    fetcher.finish();
    expect((await during).body.toString()).toBe('2');
    expect(await readNow(hub, fetcher)).toBe('3');
  });

  it('any key without a listening connection, is neither read from memory nor stored', async () => {
    const [hub, fetcher] = [setUpCache(), aFetcher()];
    await readNow(hub, fetcher);
    hub.state.isListening = false;
    expect([await readNow(hub, fetcher), await readNow(hub, fetcher)]).toEqual(['2', '3']);
    hub.state.isListening = true;
    expect(await readNow(hub, fetcher)).toBe('1');
  });

  it('a response whose fetch outlasts the listener, is not stored', async () => {
    const [hub, fetcher] = [setUpCache(), aFetcher()];
    const early = hub.read(fetcher.fetch);
    await turn();
    hub.state.isListening = false;
    fetcher.finish();
    await early;
    hub.state.isListening = true;
    expect(await readNow(hub, fetcher)).toBe('2');
  });

  it('a failure, is shared by all readers and not stored', async () => {
    const { read } = setUpCache();
    const failing: Fetcher = () => Promise.reject(new Error('no database'));
    const outcomes = await Promise.allSettled([read(failing), read(failing)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((await read(async () => ({ json: '1', tags: day }))).body.toString()).toBe('1');
  });
});

describe('read with a consistency token', () => {
  it('with changes already seen, is from memory', async () => {
    const [hub, fetcher] = [setUpCache(), aFetcher()];
    hub.notify(muchLater);
    await readNow(hub, fetcher);
    expect(await readNow(hub, fetcher, 'writer:1')).toBe('1');
  });

  it('with changes seen soon, is fetched again and stored', async () => {
    const [hub, fetcher] = [setUpCache(), aFetcher()];
    await readNow(hub, fetcher);
    setTimeout(() => hub.notify(inDay), 5);
    expect(await readNow(hub, fetcher, 'writer:1')).toBe('2');
    expect(await readNow(hub, fetcher, 'writer:1')).toBe('2');
  });

  it('with changes not seen in time, is fetched again and stored, and waits only once', async () => {
    const [hub, fetcher] = [setUpCache(), aFetcher()];
    await readNow(hub, fetcher);
    expect(await readNow(hub, fetcher, 'writer:1')).toBe('2');
    expect(await readNow(hub, fetcher, 'writer:1')).toBe('2');
    expect(await readNow(hub, fetcher)).toBe('2');
  });

  it('with a late notice, invalidates what its changes concern', async () => {
    const [hub, fetcher] = [setUpCache(), aFetcher()];
    await readNow(hub, fetcher, 'writer:1');
    hub.notify(inDay);
    expect(await readNow(hub, fetcher, 'writer:1')).toBe('2');
  });

  it('with changes given up during another fetch, prevents that response from being stored', async () => {
    const [hub, fetcher] = [setUpCache(), aFetcher()];
    const early = hub.read(fetcher.fetch);
    const late = hub.read(fetcher.fetch, 'writer:1');
    await vi.waitUntil(() => fetcher.pools.length === 2);
    fetcher.finish();
    expect([(await early).body.toString(), (await late).body.toString()]).toEqual(['1', '2']);
    expect(await readNow(hub, fetcher)).toBe('2');
  });

  it('without a listening connection, is from the database without a wait', async () => {
    const [hub, fetcher] = [setUpCache(), aFetcher()];
    hub.state.isListening = false;
    const reading = hub.read(fetcher.fetch, 'writer:1');
    await turn();
    fetcher.finish();
    expect((await reading).body.toString()).toBe('1');
  });
});

describe('read with a replica', () => {
  it('of any key, is from the replica each time', async () => {
    const [hub, fetcher] = [setUpCache({ hasReplica: true }), aFetcher()];
    expect([await readNow(hub, fetcher), await readNow(hub, fetcher)]).toEqual(['1', '2']);
    expect(fetcher.pools).toEqual([replica, replica]);
  });

  it('with a consistency token, is from the primary', async () => {
    const [hub, fetcher] = [setUpCache({ hasReplica: true }), aFetcher()];
    await readNow(hub, fetcher, 'writer:1');
    expect(fetcher.pools).toEqual([pool]);
  });
});

describe('compress', () => {
  it('concurrent requests of a coding, share its bytes', async () => {
    const { cache, read } = setUpCache();
    const entry = await read(async () => ({ json: aLargeJson(10_000), tags: day }));
    const [one, other] = await Promise.all([cache.compress(entry, 'br'), cache.compress(entry, 'br')]);
    expect(other).toBe(one);
    expect(await cache.compress(entry, 'br')).toBe(one);
    expect(await cache.compress(entry, 'gzip')).not.toBe(one);
  });

  it('a body of less than a kilobyte, stays uncompressed', async () => {
    const { cache, read } = setUpCache();
    const entry = await read(async () => ({ json: aLargeJson(1_000), tags: day }));
    expect(await cache.compress(entry, 'br')).toBeUndefined();
  });

  it('a large body, is counted during compression', async () => {
    const { cache, read } = setUpCache();
    const entry = await read(async () => ({ json: aLargeJson(800_000), tags: day }));
    const compressing = cache.compress(entry, 'gzip');
    expect(cache.budget.inUse).toBe(entry.body.length);
    await compressing;
    expect(cache.budget.inUse).toBe(0);
  });

  it('a large body beyond the capacity, is refused as busy', async () => {
    const { cache, read } = setUpCache();
    const entry = await read(async () => ({ json: aLargeJson(800_000), tags: day }));
    cache.budget.hold(Buffer.alloc(2 * 1024 * 1024));
    await expect(cache.compress(entry, 'br')).rejects.toMatchObject({ code: 'busy' });
  });
});

const soon = 5;
const late = 10_000;

describe('waitFor', () => {
  it('changes that were seen, or earlier ones of the same process, are true at once', async () => {
    const seen = new SeenChanges();
    seen.add({ origin: 'a', sequence: 3 });
    seen.add({ origin: 'b', sequence: 1 });
    seen.add({ origin: 'a', sequence: 2 });
    expect(await seen.waitFor('a:3, b:1', 0)).toBe(true);
    expect(await seen.waitFor('a:1', 0)).toBe(true);
  });

  it('two changes of which one is missing, are false after the timeout', async () => {
    const seen = new SeenChanges();
    seen.add({ origin: 'a', sequence: 3 });
    expect(await seen.waitFor('a:3,b:1', soon)).toBe(false);
    expect(await seen.waitFor('a:4', soon)).toBe(false);
  });

  it('changes seen during the wait, are true at that moment', async () => {
    const seen = new SeenChanges();
    const response = seen.waitFor('a:2', late);
    seen.add({ origin: 'a', sequence: 1 });
    seen.add({ origin: 'a', sequence: 2 });
    expect(await response).toBe(true);
  });

  it('an invalid token, is true', async () => {
    expect(await new SeenChanges().waitFor('nonsense', 0)).toBe(true);
  });

  it('one process, after a thousand others, is forgotten', async () => {
    const seen = new SeenChanges();
    seen.add({ origin: 'old', sequence: 1 });
    for (let number = 0; number < 1_000; number += 1) seen.add({ origin: `o${number}`, sequence: 1 });
    expect(await seen.waitFor('old:1', soon)).toBe(false);
    expect(await seen.waitFor('o0:1,o999:1', soon)).toBe(true);
  });
});

describe('addTokens', () => {
  it('changes that were given up, count as seen, and later ones do not', async () => {
    const seen = new SeenChanges();
    seen.add({ origin: 'a', sequence: 3 });
    const waiting = seen.waitFor('b:7', late);
    seen.addTokens('a:1,b:7');
    expect(await waiting).toBe(true);
    expect(await seen.waitFor('a:3,b:7', 0)).toBe(true);
    expect(await seen.waitFor('b:8', soon)).toBe(false);
  });
});
