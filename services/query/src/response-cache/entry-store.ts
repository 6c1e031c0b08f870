import type { Change } from '@birdhub/shared/db';
import type { CacheEntry } from './cache-entry.js';
import { type CacheTags, isInvalidatedBy } from './cache-tags.js';

/** A small body may hold a page of Node's buffer pool, and every entry costs a look at each change. */
const entryOverheadBytes = 8_192;

interface StoredEntry {
  readonly entry: CacheEntry;
  readonly tags: CacheTags;
  bytes: number;
}

/** Finished responses in memory, by key; the least recently used are evicted first. */
export class EntryStore {
  readonly #maxBytes: number;
  readonly #stored = new Map<string, StoredEntry>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  find(key: string): CacheEntry | undefined {
    const stored = this.#stored.get(key);
    if (!stored) return undefined;
    this.#stored.delete(key);
    this.#stored.set(key, stored);
    return stored.entry;
  }

  put(entry: CacheEntry, tags: CacheTags): void {
    this.#remove(entry.key);
    const stored = { entry, tags, bytes: entry.bytes + entryOverheadBytes };
    this.#stored.set(entry.key, stored);
    this.#bytes += stored.bytes;
    this.#evict();
  }

  /** Counts the bytes of an entry again, which has been compressed since. */
  recount(entry: CacheEntry): void {
    const stored = this.#stored.get(entry.key);
    if (stored?.entry !== entry) return;
    const bytes = entry.bytes + entryOverheadBytes;
    this.#bytes += bytes - stored.bytes;
    stored.bytes = bytes;
    this.#evict();
  }

  /** Removes what the change invalidates. */
  invalidate(change: Change): void {
    for (const [key, { tags }] of this.#stored) if (isInvalidatedBy(tags, change)) this.#remove(key);
  }

  clear(): void {
    this.#stored.clear();
    this.#bytes = 0;
  }

  #remove(key: string): void {
    this.#bytes -= this.#stored.get(key)?.bytes ?? 0;
    this.#stored.delete(key);
  }

  #evict(): void {
    for (const oldest of this.#stored.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#remove(oldest);
    }
  }
}
