import { openSettings, type SettingsReader } from '@birdhub/domain/settings';
import { concernsSpecies, type SpeciesDirectory } from '@birdhub/domain/species';
import { isUnmodified, pacedStream, publicPrefix } from '@birdhub/shared/app';
import { createLimiter, createSingleFlight } from '@birdhub/shared/async';
import type { Change, ChangeHandlers, ChangeListener, ChangeNotice, Database } from '@birdhub/shared/db';
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
  /** What all responses of the route are made of; one without tags, of its own or of the route, is not stored. */
  readonly tags?: CacheTags;
  /** What the response depends on; without it the parameters of the path and those of the query that the schema has. */
  key?(request: FastifyRequest): string | Promise<string>;
  /** Request headers that it depends on, for `Vary`. */
  readonly vary?: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Has the responses of a GET route cached, tagged and compressed; its handler returns an object or `readyJson`. */
    readonly cache?: RouteCacheOptions;
  }
  interface FastifyRequest {
    /** The database that the handler of a cached route reads: the replica, unless the caller must see its own changes. */
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

/** JSON that a cached route returns as it is, with a `Link` and tags of its own; typed as what it is the text of. */
export function readyJson<T>(json: string | Buffer, more: Omit<FetchedJson, 'json'> = {}): T {
  return new ReadyJson({ json, ...more }) as T;
}

/** A value that a cached route returns, and what it was made of beside the tags of the route. */
export function tagged<T>(value: T, tags: CacheTags): T {
  return readyJson(JSON.stringify(value), { tags });
}

/** Maximum time that the reader of a large response may stall. */
const stallTimeoutMs = 30_000;

async function* inOnePiece(body: Buffer): AsyncGenerator<Buffer> {
  yield body;
}

/** Sends a body; a large one is counted, and its reader held to a pace, for as long as it is sent. */
function sendBody(request: FastifyRequest, reply: FastifyReply, body: Buffer, { budget }: ResponseCache) {
  reply.type('application/json; charset=utf-8');
  const release = request.method === 'HEAD' ? undefined : budget.hold(body);
  if (!release) return reply.send(body);
  const pace = { stallTimeoutMs, isWanted: () => budget.isWanted };
  return reply.header('content-length', body.length).send(pacedStream(inOnePiece(body), pace, release));
}

/** The default key: values of the declared parameters. */
function keyOfParameters({ schema }: RouteOptions): (request: FastifyRequest) => string {
  const { properties = {} } = (schema?.querystring ?? {}) as { properties?: object };
  const names = Object.keys(properties);
  return ({ params, query }) => {
    const given = query as Record<string, unknown>;
    return JSON.stringify([params, ...names.map((name) => given[name])]);
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
        return typeof own === 'string' ? prefix + own : own.then((rest) => prefix + rest);
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
 * Caches the responses of routes that have `config.cache`: it stores them until a change notice invalidates them, lets
 * equal requests share one read, gives entity tags and 304, compresses, and limits the memory of large ones.
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

const megabyte = 1024 * 1024;

/** What change notices keep up to date: the response cache and the settings, and the species directory that was given. */
export interface ListeningCaches {
  readonly cache: ResponseCache;
  readonly settings: SettingsReader;
  readonly listener: ChangeListener;
}

/** What is listened with, and how large the cache may become. */
export interface ListeningCachesDeps {
  readonly database: Database;
  /** The primary database, where change notices are sent. */
  readonly url: string;
  readonly hostZone: string;
  readonly answerCacheMb: number;
  readonly answerBudgetMb: number;
  /** Opens the keys of external services. */
  readonly secrets?: SecretBox;
  readonly directory: Pick<SpeciesDirectory, 'forget'>;
  readonly log: Logger;
}

/** Caches whose entries are invalidated as soon as a process of the hub says that something changed. */
export function openListeningCaches(deps: ListeningCachesDeps): ListeningCaches {
  const { database, answerCacheMb, answerBudgetMb, directory, ...source } = deps;
  const cache = new ResponseCache({
    database,
    maxBytes: answerCacheMb * megabyte,
    budgetBytes: answerBudgetMb * megabyte,
    isListening: () => listener.isListening(),
  });
  const handlers: ChangeHandlers = {
    onNotice(notice) {
      if (concernsSpecies(notice.changes)) directory.forget();
      cache.onChange(notice);
    },
    onGap() {
      directory.forget();
      cache.onGap();
    },
  };
  const { settings, listener } = openSettings({ ...source, pool: database.pool, handlers });
  return { cache, settings, listener };
}
