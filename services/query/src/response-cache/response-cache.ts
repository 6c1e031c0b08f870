import { type OpenSettings, openSettings } from '@birdhub/domain/settings';
import { forgetOnChange, type SpeciesDirectory } from '@birdhub/domain/species';
import { isUnmodified, pacedStream, publicPrefix } from '@birdhub/shared/app';
import { BoundedMap, createLimiter, createSingleFlight } from '@birdhub/shared/async';
import type { Change, ChangeHandlers, ChangeNotice, Database } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import type { SecretBox } from '@birdhub/shared/secrets';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type pg from 'pg';
import type { Logger } from 'pino';
import {
  CacheEntry,
  type CacheTags,
  chooseEncoding,
  type Encoding,
  EntryStore,
  isInvalidatedBy,
} from './cache-entries.js';
import { ResponseBudget } from './response-budget.js';

/** How the response of a read route is cached. */
export interface RouteCacheOptions {
  /** Tags of all responses of the route; a response without any tags is not stored. */
  readonly tags?: CacheTags;
  /** Returns the cache key; default: the declared path and query parameters. */
  key?(request: FastifyRequest): string | Promise<string>;
  /** Request headers that the response depends on, for `Vary`. */
  readonly vary?: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Enables caching, entity tags and compression of a GET route, whose handler returns an object or `readyJson`. */
    readonly cache?: RouteCacheOptions;
  }
  interface FastifyRequest {
    /** The pool for handlers of cached routes: the replica, unless the caller must see its own changes. */
    readPool: pg.Pool;
  }
}

class ReadyJson implements FetchedJson {
  readonly json: string | Buffer;
  readonly link: string | undefined;
  readonly tags: CacheTags | undefined;

  constructor({ json, link, tags }: FetchedJson) {
    this.json = json;
    this.link = link;
    this.tags = tags;
  }
}

/** Wraps serialised JSON for a cached route, with an optional `Link` and tags; typed as the parsed value. */
export function readyJson<T>(json: string | Buffer, more: Omit<FetchedJson, 'json'> = {}): T {
  return new ReadyJson({ json, ...more }) as T;
}

/** Adds tags to the value returned by a cached route, in addition to those of the route. */
export function tagged<T>(value: T, tags: CacheTags): T {
  return readyJson(JSON.stringify(value), { tags });
}

/** Maximum time for which the reader of a large response may stall. */
const stallTimeoutMs = 30_000;

/** Sends a body; a large one reserves budget and requires a minimum pace of its reader. */
function sendBody(request: FastifyRequest, reply: FastifyReply, body: Buffer, { budget }: ResponseCache) {
  reply.type('application/json; charset=utf-8');
  const release = request.method === 'HEAD' ? undefined : budget.hold(body);
  if (!release) return reply.send(body);
  const pace = { stallTimeoutMs, isWanted: () => budget.isWanted };
  return reply.header('content-length', body.length).send(pacedStream(body, pace, release));
}

/** Returns the default key: the values of the declared parameters. */
function keyOfParameters({ schema }: RouteOptions): (request: FastifyRequest) => string {
  const { properties = {} } = (schema?.querystring ?? {}) as { properties?: object };
  const names = Object.keys(properties);
  return ({ params, query }) => {
    const parameters = query as Record<string, unknown>;
    return JSON.stringify([params, ...names.map((name) => parameters[name])]);
  };
}

function cached(cache: ResponseCache, route: RouteOptions, options: RouteCacheOptions): RouteHandlerMethod {
  const { handler, schema } = route;
  const { key = keyOfParameters(route), tags } = options;
  const operation = schema?.operationId ?? route.url;
  const vary = options.vary ? `${options.vary}, accept-encoding` : 'accept-encoding';

  return async (request, reply) => {
    const entry = await cache.read({
      key() {
        const prefix = `${operation} ${publicPrefix(request)} `;
        const own = key(request);
        return typeof own === 'string' ? prefix + own : own.then((value) => prefix + value);
      },
      async fetch(pool) {
        request.readPool = pool;
        const result: unknown = await handler.call(request.server, request, reply);
        if (!(result instanceof ReadyJson)) return { json: JSON.stringify(result), tags };
        const { json, link } = result;
        return { json, link, tags: result.tags ? { ...tags, ...result.tags } : tags };
      },
      token: request.headers['x-hub-consistency-token']?.toString(),
    });
    reply.header('etag', entry.etag).header('cache-control', 'no-cache').header('vary', vary);
    if (entry.link !== undefined) reply.header('link', entry.link);
    if (isUnmodified(request, reply)) return reply.code(304).send();
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    const compressed = encoding && (await cache.compress(entry, encoding));
    if (compressed) reply.header('content-encoding', encoding);
    return sendBody(request, reply, compressed ?? entry.body, cache);
  };
}

/**
 * Caches the responses of routes with `config.cache`: stores them until a change notice invalidates them, shares reads
 * of concurrent equal requests, adds entity tags and 304, compresses, and limits the memory of large ones.
 */
export const responseCachePlugin = fastifyPlugin<{ cache: ResponseCache }>(
  async (app, { cache }) => {
    app.decorateRequest('readPool');
    app.addHook('onRoute', (route) => {
      const options = route.config?.cache;
      if (options) route.handler = cached(cache, route, options);
    });
  },
  { name: 'response-cache', fastify: '5.x' },
);

/** Fetched JSON and its tags; without tags it is not stored. */
export interface FetchedJson {
  readonly json: string | Buffer;
  /** The `Link` header, which is part of the cached response. */
  readonly link?: string | undefined;
  readonly tags?: CacheTags | undefined;
}

/** Reads the JSON of a response from this database. */
export type Fetcher = (pool: pg.Pool) => Promise<FetchedJson>;

/** A cached read. Reads with equal keys have equal responses until something changes. */
export interface CachedRead {
  readonly key: () => string | Promise<string>;
  readonly fetch: Fetcher;
  /** Consistency token of changes that the response must include. */
  readonly token?: string | undefined;
}

/** Dependencies of the cache. */
export interface ResponseCacheDeps {
  readonly database: Pick<Database, 'pool' | 'readPool' | 'hasReplica'>;
  /** Maximum size of stored responses, in bytes. */
  readonly maxBytes: number;
  /** Maximum size of large responses in progress, in bytes. */
  readonly budgetBytes: number;
  /** Whether change notices are received. */
  readonly isListening: () => boolean;
}

/** A response that is being fetched, and changes since then. */
interface InFlight {
  readonly changes: Change[];
  hasGap: boolean;
}

/** How long a request waits for the notice of its own change before it reads the database. */
const changeTimeoutMs = 100;
/** Uses half of libuv's threads; when the queue is long, responses are sent uncompressed. */
const compressionLimits = { max: 2, maxWaiting: 64, waitTimeoutMs: 2_000 };

/** Stores responses until a change notice invalidates them. */
export class ResponseCache {
  /** Limits the responses in progress. */
  readonly budget: ResponseBudget;
  readonly #deps: ResponseCacheDeps;
  readonly #entries: EntryStore;
  readonly #seen = new SeenChanges();
  readonly #inFlight = new Set<InFlight>();
  /** Reads that were started after the last change notice and that equal reads may join. */
  readonly #joinable = createSingleFlight<CacheEntry>();
  readonly #compressors = createLimiter(compressionLimits);

  constructor(deps: ResponseCacheDeps) {
    this.#deps = deps;
    this.#entries = new EntryStore(deps.maxBytes);
    this.budget = new ResponseBudget(deps.budgetBytes);
  }

  /** Returns the stored response of a read, or a new one that concurrent equal reads share. */
  async read({ key, fetch, token }: CachedRead): Promise<CacheEntry> {
    const { database, isListening } = this.#deps;
    // A replica lags, so its responses are not stored, and callers with own changes read the primary.
    if (database.hasReplica) return this.#fetchOnce(fetch, token ? database.pool : database.readPool);
    if (token && isListening() && !this.#seen.has(token)) await this.#catchUp(token);
    const pending = key();
    const name = typeof pending === 'string' ? pending : await pending;
    if (!isListening()) return this.#fetchOnce(fetch, database.pool);
    return this.#entries.find(name) ?? this.#joinable.run(name, () => this.#fetchAndStore(name, fetch));
  }

  /**
   * Returns the body of a response in this coding; undefined to send it uncompressed.
   * @throws HubError busy when the budget is exhausted
   */
  async compress(entry: CacheEntry, encoding: Encoding): Promise<Buffer | undefined> {
    if (!entry.isCompressible) return undefined;
    const compressed = entry.find(encoding);
    if (compressed) return compressed;
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

  /** Invalidates the responses that a change notice affects. */
  onChange(notice: ChangeNotice): void {
    for (const change of notice.changes) this.#entries.invalidate(change);
    for (const inFlight of this.#inFlight) inFlight.changes.push(...notice.changes);
    this.#joinable.forget();
    this.#seen.add(notice);
  }

  /** Invalidates everything, as change notices may have been missed. */
  onGap(): void {
    this.#entries.clear();
    for (const inFlight of this.#inFlight) inFlight.hasGap = true;
    this.#joinable.forget();
  }

  /**
   * Waits for the changes of a token. A missing notice was sent before this process listened, or is late; reads from
   * now on include its change anyway, so it is waited for only once.
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

/** More processes than a hub ever has; older ones are dropped. */
const maxOrigins = 1_000;
const tokenPattern = /([\w-]{1,64}):(\d{1,15})/g;

/** Tracks which change notices of each process were received. */
export class SeenChanges {
  readonly #highest = new BoundedMap<string, number>(maxOrigins);
  readonly #waiting = new Set<Waiting>();

  add({ origin, sequence }: Pick<ChangeNotice, 'origin' | 'sequence'>): void {
    const highest = Math.max(sequence, this.#highest.get(origin) ?? 0);
    this.#highest.delete(origin);
    this.#highest.set(origin, highest);
    for (const reader of this.#waiting) if (this.has(reader.tokens)) reader.resolve(true);
  }

  /** Marks the changes of a consistency token as seen, so that readers no longer wait for them. */
  addTokens(tokens: string): void {
    for (const [, origin = '', sequence] of tokens.matchAll(tokenPattern)) {
      this.add({ origin, sequence: Number(sequence) });
    }
  }

  /** Whether all changes of a consistency token were seen. */
  has(tokens: string): boolean {
    for (const [, origin = '', sequence] of tokens.matchAll(tokenPattern)) {
      if ((this.#highest.get(origin) ?? 0) < Number(sequence)) return false;
    }
    return true;
  }

  /** Resolves to true when all changes of a consistency token were seen, to false after the timeout. */
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

const megabyte = 1024 * 1024;

/** The caches that change notices keep current: responses and settings. */
export interface ListeningCaches extends OpenSettings {
  readonly cache: ResponseCache;
}

/** Dependencies and limits of the caches. */
export interface ListeningCachesDeps {
  readonly database: Database;
  /** URL of the primary database, where change notices are sent. */
  readonly url: string;
  readonly hostZone: string;
  readonly responseCacheMb: number;
  readonly responseBudgetMb: number;
  /** Opens secrets, such as keys of external services. */
  readonly secrets?: SecretBox;
  readonly directory: Pick<SpeciesDirectory, 'forget'>;
  readonly log: Logger;
}

/** Opens the caches of a process, which are invalidated by change notices. */
export function openListeningCaches(deps: ListeningCachesDeps): ListeningCaches {
  const { database, responseCacheMb, responseBudgetMb, directory, ...source } = deps;
  const cache = new ResponseCache({
    database,
    maxBytes: responseCacheMb * megabyte,
    budgetBytes: responseBudgetMb * megabyte,
    isListening: () => listener.isListening(),
  });
  const speciesHandlers = forgetOnChange(directory);
  const handlers: ChangeHandlers = {
    onNotice(notice) {
      speciesHandlers.onNotice(notice);
      cache.onChange(notice);
    },
    onGap() {
      speciesHandlers.onGap();
      cache.onGap();
    },
  };
  const { settings, listener } = openSettings({ ...source, pool: database.pool, handlers });
  return { cache, settings, listener };
}
