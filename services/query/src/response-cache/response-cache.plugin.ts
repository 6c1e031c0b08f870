import { isUnmodified, pacedStream } from '@birdhub/shared/app';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type pg from 'pg';
import { publicPrefix } from '../public-urls.js';
import { type CacheTags, chooseEncoding } from './cache-entries.js';
import type { FetchedJson, ResponseCache } from './response-cache.js';

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
