import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CacheEntry } from './cache-entry.js';
import { EntryStore } from './entry-store.js';

const kilobytes = 1024;
const anEntry = (key: string, size = 1) => new CacheEntry(key, Buffer.alloc(size));
const all = { recordings: 'all' } as const;

describe('EntryStore', () => {
  it('an entry that was put, is found as it is', () => {
    const store = new EntryStore(64 * kilobytes);
    const kept = anEntry('a', 10);
    store.put(kept, all);
    expect(store.find('a')).toBe(kept);
    expect(store.find('b')).toBeUndefined();
  });

  it('more than its bytes, evicts the least recently used', () => {
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

  it('one larger than the whole store, is not kept', () => {
    const store = new EntryStore(64 * kilobytes);
    store.put(anEntry('a', 65 * kilobytes), all);
    expect(store.find('a')).toBeUndefined();
  });

  it('a change, removes what it invalidates and frees its bytes', () => {
    const store = new EntryStore(64 * kilobytes);
    store.put(anEntry('all', 40 * kilobytes), all);
    store.put(anEntry('species'), { species: true });
    store.invalidate({ kind: 'recordings', from: 0, to: 1 });
    expect(store.find('all')).toBeUndefined();
    store.put(anEntry('next', 40 * kilobytes), all);
    expect([store.find('species'), store.find('next')]).not.toContain(undefined);
  });

  it('cleared, is empty and has all its room again', () => {
    const store = new EntryStore(64 * kilobytes);
    store.put(anEntry('a', 40 * kilobytes), all);
    store.clear();
    expect(store.find('a')).toBeUndefined();
    store.put(anEntry('b', 20 * kilobytes), all);
    store.put(anEntry('c', 20 * kilobytes), all);
    expect([store.find('b'), store.find('c')]).not.toContain(undefined);
  });

  it('an entry that was compressed since, counts the bytes of all its codings', async () => {
    const store = new EntryStore(64 * kilobytes);
    const grown = new CacheEntry('grown', randomBytes(17 * kilobytes));
    store.put(anEntry('old'), all);
    store.put(grown, all);
    await grown.compress('gzip');
    await grown.compress('br');
    store.recount(grown);
    expect([store.find('old'), store.find('grown')]).toEqual([undefined, grown]);
  });

  it('an entry that was replaced since, is not counted again', async () => {
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
