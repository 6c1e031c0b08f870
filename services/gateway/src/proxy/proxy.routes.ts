import { type HubApp, isForeignLoad } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Access } from '../auth/access.js';
import type { KnownPasswords } from '../auth/passwords.js';
import type { Operation } from '../contract/index.js';
import { rateLimitOf, registerRateLimits } from '../edge/client-limits.js';
import { type PrefixOptions, prefixOf } from '../edge/trusted-proxies.js';
import { ConsistencyTokens } from './consistency-tokens.js';
import { Exchange, type ExchangeTimeouts, type Upstream } from './exchange.js';
import { requestHeaders } from './headers.js';
import { type PoolName, serviceNames, type Upstreams } from './upstreams.js';

/** Dependencies of the proxy. */
export interface ProxyDeps extends PrefixOptions, ExchangeTimeouts {
  readonly operations: readonly Operation[];
  readonly upstreams: Upstreams;
  readonly internalSecret: string | undefined;
  readonly access: Pick<Access, 'guard' | 'hasEnded'>;
  readonly passwords: Pick<KnownPasswords, 'refresh'>;
  readonly corsOrigins: ReadonlySet<string>;
  /** Interval of the check whether the viewer of a live picture still has access. Default 10 s. */
  readonly accessCheckMs?: number | undefined;
}

/** Forwards all operations of other services. */
export async function proxyRoutes(app: HubApp, deps: ProxyDeps): Promise<void> {
  await registerRateLimits(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  const shared: Shared = { tokens: new ConsistencyTokens(), settingsVersion: 0, streams: new Set() };
  app.addHook('preClose', async () => {
    for (const exchange of shared.streams) exchange.finish();
  });
  for (const operation of deps.operations) {
    if (operation.service !== 'gateway') registerOperation(app, operation, shared, deps);
  }
}

/** State shared by all operations: consistency tokens and endless responses. */
interface Shared {
  readonly tokens: ConsistencyTokens;
  settingsVersion: number;
  readonly streams: Set<Exchange>;
}

function registerOperation(app: HubApp, operation: Operation, shared: Shared, deps: ProxyDeps): void {
  const { operationId, method, pathPattern } = operation;
  app.route({
    method: method === 'GET' ? ['GET', 'HEAD'] : [method],
    url: deps.basePath + pathPattern,
    schema: { operationId, hide: true },
    config: rateLimitOf(operation),
    onRequest: [
      ...rejectForeignLoads(operation, deps.corsOrigins),
      deps.access.guard(operation),
      // The service limits uploads itself.
      ...(operation.isUpload ? [] : [rejectLargeBody]),
    ],
    handler: forward(operation, shared, deps),
  });
}

/** Rejects expensive reads by pages of other sites, which may only embed pictures. */
function rejectForeignLoads(operation: Operation, corsOrigins: ReadonlySet<string>): onRequestHookHandler[] {
  if (operation.method !== 'GET' || !operation.limit || operation.isPicture) return [];
  return [
    (request, _reply, done) => {
      if (!request.accessToken && isForeignLoad(request, corsOrigins)) throw new HubError('csrf_rejected');
      done();
    },
  ];
}

/** Maximum body of any operation; services have lower limits. */
const maxBodyBytes = 17_000_000;

const rejectLargeBody: onRequestHookHandler = ({ headers }, _reply, done) => {
  if (Number(headers['content-length'] ?? 0) > maxBodyBytes) throw new HubError('payload_too_large');
  done();
};

function forward(
  operation: Operation,
  shared: Shared,
  deps: ProxyDeps,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const { basePath, internalSecret } = deps;
  const upstream = upstreamOf(operation, shared, deps);
  const isRead = operation.method === 'GET' || operation.method === 'HEAD';
  return (request, reply) => {
    const target = request.raw.url ?? '';
    // The router decodes escapes, so other spellings of the base path are possible.
    if (!target.startsWith(basePath)) throw new HubError('route_not_found');
    // The client may have disconnected during the lookup of its session.
    if (reply.raw.closed || reply.raw.destroyed) return;
    const withBody = hasBody(request);
    const headers = requestHeaders(request.headers, withBody, {
      requestId: request.id,
      caller: request.caller,
      token: request.accessToken,
      internalSecret,
      clientAddress: request.ip,
      protocol: request.protocol,
      host: request.host,
      prefix: prefixOf(request, deps),
      consistencyTokens: isRead ? shared.tokens.header : '',
      settingsVersion: shared.settingsVersion,
    });
    const path = target.slice(basePath.length);
    const exchange = new Exchange(upstream, { request, reply, path, headers, hasBody: withBody });
    if (operation.isEventStream) {
      shared.streams.add(exchange);
      reply.raw.once('close', () => shared.streams.delete(exchange));
      // Events are public; live pictures may not be.
      if (operation.isFile) endWithAccess(exchange, { request, reply }, deps);
    }
    exchange.start();
  };
}

/** Ends a response without an end soon after the session or the token of its request has ended. */
function endWithAccess(
  exchange: Exchange,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { access, accessCheckMs = 10_000 }: ProxyDeps,
): void {
  const timer = setInterval(() => {
    access.hasEnded(request).then(
      (hasEnded) => {
        if (hasEnded) exchange.finish();
      },
      (error: unknown) => request.log.warn({ err: error }, 'access to a live picture not checked'),
    );
  }, accessCheckMs).unref();
  reply.raw.once('close', () => clearInterval(timer));
}

function hasBody({ headers, method }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function upstreamOf(operation: Operation, shared: Shared, deps: ProxyDeps): Upstream {
  const { service, operationId } = operation;
  const { responseTimeoutMs, idleTimeoutMs, passwords } = deps;
  const { pools } = deps.upstreams;
  const name = serviceNames.find((known) => known === service);
  if (!name) throw new Error(`The contract routes ${operationId} to the unknown service ${service}`);
  return {
    pool: pools[poolNameOf(operation)][name],
    uploads: pools[operation.isUpload ? 'media' : 'uploads'][name],
    isUpload: operation.isUpload ?? false,
    responseTimeoutMs,
    idleTimeoutMs,
    onChange(tokens, settingsVersion) {
      shared.tokens.remember(tokens);
      if (settingsVersion === undefined) return;
      shared.settingsVersion = Math.max(shared.settingsVersion, Number(settingsVersion));
      // A password may have changed.
      void passwords.refresh();
    },
  };
}

function poolNameOf({ isEventStream, isFile }: Operation): PoolName {
  if (isEventStream) return 'streams';
  return isFile ? 'files' : 'requests';
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Replies 405 with `Allow` for unsupported methods of known paths. */
export function otherMethodRoutes(app: HubApp, operations: readonly Operation[], basePath: string): void {
  for (const [pathPattern, known] of methodsByPath(operations)) {
    const allow = methods.filter((method) => known.has(method)).join(', ');
    app.route({
      method: methods.filter((method) => !known.has(method)),
      url: basePath + pathPattern,
      // HEAD may be a separate operation of the path.
      exposeHeadRoute: false,
      schema: { hide: true },
      handler(_request, reply) {
        reply.header('allow', allow);
        throw new HubError('method_not_allowed');
      },
    });
  }
}

function methodsByPath(operations: readonly Operation[]): Map<string, Set<string>> {
  const known = new Map<string, Set<string>>();
  for (const { pathPattern, method } of operations) {
    const ofPath = known.get(pathPattern) ?? new Set();
    ofPath.add(method);
    if (method === 'GET') ofPath.add('HEAD');
    known.set(pathPattern, ofPath);
  }
  return known;
}
