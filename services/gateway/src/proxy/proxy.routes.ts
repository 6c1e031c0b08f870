import { type HubApp, isForeignLoad } from '@birdhub/shared/app';
import type { Operation } from '@birdhub/shared/contract';
import { HubError } from '@birdhub/shared/errors';
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Access } from '../access/access.js';
import type { KnownPasswords } from '../access/passwords.js';
import { type BellMemory, createBellMemory } from './bell-memory.js';
import { Exchange, type ExchangeOptions, type ExchangeTimeouts } from './exchange.js';
import { type PrefixOptions, prefixOf } from './prefix-of.js';
import { forwardedHeaders } from './request-headers.js';
import { limitOf, registerLimits } from './route-limits.js';
import { type PoolName, serviceNames, type Upstreams } from './upstreams.js';

/** What forwarding needs to know. */
export interface ProxyOptions extends PrefixOptions, ExchangeTimeouts {
  readonly operations: readonly Operation[];
  readonly upstreams: Upstreams;
  readonly internalSecret: string | undefined;
  readonly access: Pick<Access, 'guard'>;
  readonly passwords: Pick<KnownPasswords, 'refresh'>;
  readonly corsOrigins: ReadonlySet<string>;
}

/** No operation takes a larger body; each service has its own limits below. */
const mostBodyBytes = 17_000_000;

function poolNameOf({ isEventStream, isFile }: Operation): PoolName {
  if (isEventStream) return 'streams';
  return isFile ? 'files' : 'requests';
}

function poolsOf(operation: Operation, { pools }: Upstreams): Pick<ExchangeOptions, 'pool' | 'uploads'> {
  const { service, operationId } = operation;
  const name = serviceNames.find((known) => known === service);
  if (!name) throw new Error(`The contract sends ${operationId} to ${service}, which is no service`);
  return { pool: pools[poolNameOf(operation)][name], uploads: pools.uploads[name] };
}

function hasBody({ headers, method }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const refuseLargeBody: onRequestHookHandler = ({ headers }, _reply, done) => {
  if (Number(headers['content-length'] ?? 0) > mostBodyBytes) throw new HubError('payload_too_large');
  done();
};

/** Reads that take much work are not for pages of other sites to set off; pictures may be shown there. */
function refuseForeignLoads(operation: Operation, corsOrigins: ReadonlySet<string>): onRequestHookHandler[] {
  if (operation.method !== 'GET' || !operation.limit || operation.isPicture) return [];
  return [
    (request, _reply, done) => {
      if (isForeignLoad(request, corsOrigins)) throw new HubError('csrf_rejected');
      done();
    },
  ];
}

/** What all operations share: news of writes, and answers that would go on for ever. */
interface Shared {
  readonly bells: BellMemory;
  settingsVersion: number;
  readonly streams: Set<Exchange>;
}

/** What a write rings is remembered for reads; a change of the settings may have been of a password. */
function bellHearer(shared: Shared, { passwords }: ProxyOptions): ExchangeOptions['onBell'] {
  return (tokens, settingsVersion) => {
    shared.bells.remember(tokens);
    if (settingsVersion === undefined) return;
    shared.settingsVersion = Math.max(shared.settingsVersion, Number(settingsVersion));
    void passwords.refresh();
  };
}

type Forward = (request: FastifyRequest, reply: FastifyReply) => void;

function forwarding(operation: Operation, shared: Shared, options: ProxyOptions): Forward {
  const { basePath, internalSecret, answerTimeoutMs, idleTimeoutMs } = options;
  const { pool, uploads } = poolsOf(operation, options.upstreams);
  const isRead = operation.method === 'GET';
  const onBell = bellHearer(shared, options);
  return (request, reply) => {
    const { id, headers, protocol, host, caller } = request;
    const target = request.raw.url ?? '';
    // The router reads escapes, so another spelling of the base path gets here.
    if (!target.startsWith(basePath)) throw new HubError('route_not_found');
    // The client may have gone while it was found out who it is.
    if (reply.raw.closed || reply.raw.destroyed) return;
    const withBody = hasBody(request);
    const exchange = new Exchange({
      request,
      reply,
      pool,
      uploads,
      path: target.slice(basePath.length),
      headers: forwardedHeaders(headers, withBody, {
        requestId: id,
        caller,
        internalSecret,
        clientAddress: request.ip,
        protocol,
        host,
        prefix: prefixOf(request, options),
        bells: isRead ? shared.bells.tokens() : '',
        settingsVersion: shared.settingsVersion,
      }),
      hasBody: withBody,
      answerTimeoutMs,
      idleTimeoutMs,
      onBell,
    });
    if (operation.isEventStream) {
      shared.streams.add(exchange);
      reply.raw.once('close', () => shared.streams.delete(exchange));
    }
    exchange.start();
  };
}

function registerOperation(app: HubApp, operation: Operation, shared: Shared, options: ProxyOptions): void {
  const { operationId, method, pathPattern } = operation;
  app.route({
    method: method === 'GET' ? ['GET', 'HEAD'] : [method],
    url: options.basePath + pathPattern,
    schema: { operationId, hide: true },
    config: limitOf(operation),
    onRequest: [
      ...refuseForeignLoads(operation, options.corsOrigins),
      options.access.guard(operation),
      refuseLargeBody,
    ],
    handler: forwarding(operation, shared, options),
  });
}

/** Forwards every operation that is not the gateway's own. */
export async function proxyRoutes(app: HubApp, options: ProxyOptions): Promise<void> {
  await registerLimits(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  const shared: Shared = { bells: createBellMemory(), settingsVersion: 0, streams: new Set() };
  app.addHook('preClose', async () => {
    for (const exchange of shared.streams) exchange.finish();
  });
  for (const operation of options.operations) {
    if (operation.service !== 'gateway') registerOperation(app, operation, shared, options);
  }
}
