import { createLimiter, createSingleFlight } from '@birdhub/shared/async';
import type { Change, ChangeNotice, Database } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';
import { CacheEntry, type CacheTags, type Encoding, EntryStore, isInvalidatedBy } from './cache-entries.js';
import { ResponseBudget } from './response-budget.js';

/** JSON as it was read, and what it was made of; without tags it is not stored. */
export interface FetchedJson {
  readonly json: string | Buffer;
  /** The `Link` header, which counts as part of the response. */
  readonly link?: string | undefined;
  readonly tags?: CacheTags | undefined;
}

/** Reads the JSON of a response from this database. */
export type Fetcher = (pool: pg.Pool) => Promise<FetchedJson>;

/** A read. Equal keys have equal responses until something changes. */
export interface CachedRead {
  readonly key: () => string | Promise<string>;
  readonly fetch: Fetcher;
  /** Consistency token: names changes that the response must show. */
  readonly token?: string | undefined;
}

/** What the cache works with. */
export interface ResponseCacheDeps {
  readonly database: Pick<Database, 'pool' | 'readPool' | 'hasReplica'>;
  /** Most bytes of responses that are stored. */
  readonly maxBytes: number;
  /** Most bytes of large responses that are made and sent at once. */
  readonly budgetBytes: number;
  /** Whether every change notice arrives now. */
  readonly isListening: () => boolean;
}

/** A response that is being fetched, and what changed meanwhile. */
interface InFlight {
  readonly changes: Change[];
  hasGap: boolean;
}

/** How long a request waits for the notice of its own change before it is read from the database. */
const changeTimeoutMs = 100;
/** Half of Node's threads; what cannot wait long is sent as it is. */
const compressing = { max: 2, maxWaiting: 64, waitTimeoutMs: 2_000 };

/** Responses that are stored until a change notice invalidates them. */
export class ResponseCache {
  /** Limits what is made and sent at once. */
  readonly budget: ResponseBudget;
  readonly #deps: ResponseCacheDeps;
  readonly #entries: EntryStore;
  readonly #seen = new SeenChanges();
  readonly #inFlight = new Set<InFlight>();
  /** What equal reads may join: begun after the last change notice. */
  readonly #joinable = createSingleFlight<CacheEntry>();
  readonly #compressors = createLimiter(compressing);

  constructor(deps: ResponseCacheDeps) {
    this.#deps = deps;
    this.#entries = new EntryStore(deps.maxBytes);
    this.budget = new ResponseBudget(deps.budgetBytes);
  }

  /** The stored response of a read, or a new one that equal reads at the same time share. */
  async read({ key, fetch, token }: CachedRead): Promise<CacheEntry> {
    const { database, isListening } = this.#deps;
    // A replica shows changes at a time of its own, and not yet those that the caller has made.
    if (database.hasReplica) return this.#fetchOnce(fetch, token ? database.pool : database.readPool);
    if (token && isListening() && !this.#seen.has(token)) await this.#catchUp(token);
    const given = key();
    const name = typeof given === 'string' ? given : await given;
    if (!isListening()) return this.#fetchOnce(fetch, database.pool);
    return this.#entries.find(name) ?? this.#joinable.run(name, () => this.#fetchAndStore(name, fetch));
  }

  /**
   * The body of a response in this coding; undefined when it is sent as it is.
   * @throws HubError busy when there is no room to hold a large body meanwhile
   */
  async compress(entry: CacheEntry, encoding: Encoding): Promise<Buffer | undefined> {
    if (!entry.isCompressible) return undefined;
    const known = entry.find(encoding);
    if (known) return known;
    const release = this.budget.hold(entry.body);
    try {
      await this.#compressors.run(() => entry.compress(encoding));
      this.#entries.recount(entry);
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
    } finally {
      release?.();
    }
    return entry.find(encoding);
  }

  /** Invalidates what a change notice is about. */
  onChange(notice: ChangeNotice): void {
    for (const change of notice.changes) this.#entries.invalidate(change);
    for (const inFlight of this.#inFlight) inFlight.changes.push(...notice.changes);
    this.#joinable.forget();
    this.#seen.add(notice);
  }

  /** Invalidates everything: change notices may have been missed. */
  onGap(): void {
    this.#entries.clear();
    for (const inFlight of this.#inFlight) inFlight.hasGap = true;
    this.#joinable.forget();
  }

  /**
   * Waits for the changes that a token names. A notice that does not come was sent before this process listened, or is
   * late: what is read from now on shows its change anyhow, so it is waited for only once.
   */
  async #catchUp(token: string): Promise<void> {
    if (await this.#seen.waitFor(token, changeTimeoutMs)) return;
    this.onGap();
    this.#seen.addTokens(token);
  }

  async #fetchOnce(fetch: Fetcher, pool: pg.Pool): Promise<CacheEntry> {
    const { json, link } = await fetch(pool);
    return new CacheEntry('', json, link);
  }

  async #fetchAndStore(key: string, fetch: Fetcher): Promise<CacheEntry> {
    const inFlight: InFlight = { changes: [], hasGap: false };
    this.#inFlight.add(inFlight);
    try {
      const { json, link, tags } = await fetch(this.#deps.database.pool);
      const entry = new CacheEntry(key, json, link);
      const isStale =
        inFlight.hasGap || inFlight.changes.some((change) => tags && isInvalidatedBy(tags, change));
      if (tags && !isStale && this.#deps.isListening()) this.#entries.put(entry, tags);
      return entry;
    } finally {
      this.#inFlight.delete(inFlight);
    }
  }
}

interface Waiting {
  readonly tokens: string;
  readonly resolve: (isSeen: boolean) => void;
}

/** More processes than a hub ever has; those that are long gone are forgotten. */
const maxOrigins = 1_000;
const tokenPattern = /([\w-]{1,64}):(\d{1,15})/g;

/** Which change notices of other processes have reached this one. */
export class SeenChanges {
  readonly #highest = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();

  add({ origin, sequence }: Pick<ChangeNotice, 'origin' | 'sequence'>): void {
    const highest = Math.max(sequence, this.#highest.get(origin) ?? 0);
    this.#highest.delete(origin);
    this.#highest.set(origin, highest);
    const [oldest] = this.#highest.keys();
    if (this.#highest.size > maxOrigins && oldest !== undefined) this.#highest.delete(oldest);
    for (const reader of this.#waiting) if (this.has(reader.tokens)) reader.resolve(true);
  }

  /** Marks the changes of a consistency token as seen, so that no reader waits for them. */
  addTokens(tokens: string): void {
    for (const [, origin = '', sequence] of tokens.matchAll(tokenPattern)) {
      this.add({ origin, sequence: Number(sequence) });
    }
  }

  /** Whether all changes that a consistency token names are seen. */
  has(tokens: string): boolean {
    for (const [, origin = '', sequence] of tokens.matchAll(tokenPattern)) {
      if ((this.#highest.get(origin) ?? 0) < Number(sequence)) return false;
    }
    return true;
  }

  /** Resolves to true once all changes that a consistency token names are seen, to false after the timeout. */
  async waitFor(tokens: string, timeoutMs: number): Promise<boolean> {
    if (this.has(tokens)) return true;
    return new Promise((resolve) => {
      const finish = (isSeen: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(reader);
        resolve(isSeen);
      };
      const timer = setTimeout(() => finish(false), timeoutMs);
      const reader: Waiting = { tokens, resolve: finish };
      this.#waiting.add(reader);
    });
  }
}
