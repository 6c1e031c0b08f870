import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CacheEntry, type CacheTags, chooseEncoding, EntryStore, isInvalidatedBy } from './cache-entries.js';

describe('chooseEncoding', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['deflate, zstd', undefined],
    ['br;q=0, gzip;q=0', undefined],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['*', 'br'],
    ['GZIP', 'gzip'],
  ])('Accept-Encoding %j, is %j', (header, expected) => {
    expect(chooseEncoding(header)).toBe(expected);
  });
});

describe('CacheEntry', () => {
  const json = JSON.stringify(Array.from({ length: 500 }, (_, at) => ({ at })));

  it('compressed, has the same content in every coding', async () => {
    const entry = new CacheEntry('key', json);
    await Promise.all([entry.compress('br'), entry.compress('gzip')]);
    expect(brotliDecompressSync(entry.find('br') ?? '').toString()).toBe(json);
    expect(gunzipSync(entry.find('gzip') ?? '').toString()).toBe(json);
    expect(entry.bytes).toBe(
      json.length + (entry.find('br')?.length ?? 0) + (entry.find('gzip')?.length ?? 0),
    );
  });

  it('with the same JSON and another link, has another tag', () => {
    const [one, other] = [new CacheEntry('key', json), new CacheEntry('key', json, '</next>; rel="next"')];
    expect(one.etag).not.toBe(other.etag);
  });
});

const kilobytes = 1024;
const anEntry = (key: string, size = 1) => new CacheEntry(key, Buffer.alloc(size));
const all = { recordings: 'all' } as const;

describe('EntryStore', () => {
  it('an entry, is found after it was put', () => {
    const store = new EntryStore(64 * kilobytes);
    const kept = anEntry('a', 10);
    store.put(kept, all);
    expect(store.find('a')).toBe(kept);
    expect(store.find('b')).toBeUndefined();
  });

  it('beyond its limit, evicts the least recently used', () => {
    const store = new EntryStore(64 * kilobytes);
    store.put(anEntry('old', 20 * kilobytes), all);
    store.put(anEntry('used', 10 * kilobytes), all);
    store.find('old');
    store.put(anEntry('new', 11 * kilobytes), all);
    expect(store.find('used')).toBeUndefined();
    expect([store.find('old'), store.find('new')]).not.toContain(undefined);
  });

  it('the same key again, counts its bytes once', () => {
    const store = new EntryStore(64 * kilobytes);
    store.put(anEntry('other'), all);
    for (let size = 1; size <= 30; size += 1) store.put(anEntry('a', size * kilobytes), all);
    expect(store.find('other')).toBeDefined();
    expect(store.find('a')?.body).toHaveLength(30 * kilobytes);
  });

  it('an entry larger than the whole store, is not stored', () => {
    const store = new EntryStore(64 * kilobytes);
    store.put(anEntry('a', 65 * kilobytes), all);
    expect(store.find('a')).toBeUndefined();
  });

  it('a change, removes the entries that it invalidates and frees their bytes', () => {
    const store = new EntryStore(64 * kilobytes);
    store.put(anEntry('all', 40 * kilobytes), all);
    store.put(anEntry('species'), { species: true });
    store.invalidate({ kind: 'recordings', from: 0, to: 1 });
    expect(store.find('all')).toBeUndefined();
    store.put(anEntry('next', 40 * kilobytes), all);
    expect([store.find('species'), store.find('next')]).not.toContain(undefined);
  });

  it('cleared, is empty and has all its capacity again', () => {
    const store = new EntryStore(64 * kilobytes);
    store.put(anEntry('a', 40 * kilobytes), all);
    store.clear();
    expect(store.find('a')).toBeUndefined();
    store.put(anEntry('b', 20 * kilobytes), all);
    store.put(anEntry('c', 20 * kilobytes), all);
    expect([store.find('b'), store.find('c')]).not.toContain(undefined);
  });

  it('an entry compressed later, counts the bytes of all its codings', async () => {
    const store = new EntryStore(64 * kilobytes);
    const grown = new CacheEntry('grown', randomBytes(17 * kilobytes));
    store.put(anEntry('old'), all);
    store.put(grown, all);
    await grown.compress('gzip');
    await grown.compress('br');
    store.recount(grown);
    expect([store.find('old'), store.find('grown')]).toEqual([undefined, grown]);
  });

  it('an entry that was replaced meanwhile, is not counted again', async () => {
    const store = new EntryStore(64 * kilobytes);
    const replaced = new CacheEntry('a', randomBytes(20 * kilobytes));
    store.put(replaced, all);
    store.put(anEntry('a', 20 * kilobytes), all);
    store.put(anEntry('b', 10 * kilobytes), all);
    await replaced.compress('br');
    store.recount(replaced);
    expect([store.find('a'), store.find('b')]).not.toContain(undefined);
  });
});

const minute = 60_000;
const tenToEleven: CacheTags = { recordings: { from: 600 * minute, to: 660 * minute }, species: true };
const recordings = (from: number, to: number) => ({ kind: 'recordings' as const, from, to });

describe('isInvalidatedBy', () => {
  it.each([
    ['inside', recordings(620 * minute, 621 * minute)],
    ['around', recordings(0, 900 * minute)],
    ['ending at its start', recordings(0, 600 * minute)],
    ['starting at its end', recordings(660 * minute, 700 * minute)],
    ['ending two minutes before', recordings(0, 598 * minute)],
    ['starting two minutes after', recordings(662 * minute, 700 * minute)],
    ['of the species', { kind: 'species' as const }],
    ['of everything', { kind: 'everything' as const }],
  ])('a time span, by a change %s, is invalidated', (_, change) => {
    expect(isInvalidatedBy(tenToEleven, change)).toBe(true);
  });

  it.each([
    ['well before', recordings(0, 598 * minute - 1)],
    ['well after', recordings(662 * minute + 1, 700 * minute)],
    ['of the settings', { kind: 'settings' as const }],
    ['of the weather', { kind: 'weather' as const }],
  ])('a time span, by a change %s, is not invalidated', (_, change) => {
    expect(isInvalidatedBy(tenToEleven, change)).toBe(false);
  });

  it('all recordings, by any change of recordings, are invalidated', () => {
    expect(isInvalidatedBy({ recordings: 'all' }, recordings(0, 1))).toBe(true);
  });

  it('no recordings, by a change of recordings, are not invalidated', () => {
    expect(isInvalidatedBy({ settings: true }, recordings(0, 1))).toBe(false);
    expect(isInvalidatedBy({ settings: true }, { kind: 'settings' })).toBe(true);
  });
});
