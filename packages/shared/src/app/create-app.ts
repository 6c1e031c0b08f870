// Makes operationId, summary, tags, security and hide known to the types of route schemas, in every service.
/// <reference types="@fastify/swagger" preserve="true" />
import type { IncomingMessage, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
  type RouteOptions,
} from 'fastify';
import type { Logger } from 'pino';
import type { ChangeNotifier } from '../db/index.js';
import { HubError } from '../errors/index.js';
import type { ServiceMetrics } from '../metrics/index.js';
import { compileValidator } from '../validation/validators.js';
import { ClientConnections, type ClientLimits, connectionLimits } from './client-connections.js';
import { handleError } from './error-handler.js';
import { requestIdOf } from './request.js';

/** A Fastify instance that infers the types of its routes from their TypeBox schemas. */
export type HubApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Options of the application of a service. */
export interface AppOptions {
  readonly log: Logger;
  readonly metrics: ServiceMetrics;
  /** Maximum size of a body in bytes; routes may override it. */
  readonly bodyLimit?: number;
  /** Whether `X-Forwarded-*` headers of this peer address are trusted. Default: of none. */
  readonly trustProxy?: (address: string) => boolean;
  /** Maximum time that a client may take to send the headers of a request. */
  readonly headersTimeoutMs?: number;
  /** Default: the limits of a service behind the gateway. */
  readonly clientLimits?: ClientLimits;
  /** The source of consistency tokens for responses to writes. */
  readonly consistencyTokens?: Pick<ChangeNotifier, 'last'>;
  /** Adds headers to every response, including that of a malformed URL. */
  readonly addHeaders?: (request: FastifyRequest, reply: FastifyReply) => void;
}

/** More lenient than those of the gateway, which rejects slow clients. */
const defaultClientLimits: ClientLimits = { readStallTimeoutMs: 300_000, bodyWindowMs: 60_000 };
const idleSweepMs = 100;
const maxIgnoredNames = 20;
const maxIgnoredNameLength = 64;
const recordedRoutes = new WeakMap<object, RouteOptions[]>();

/** Creates an application with request ids, validation, error bodies and HTTP metrics, without routes. */
export function createApp(options: AppOptions): HubApp {
  const { log, metrics, bodyLimit = 65_536, trustProxy } = options;
  const clients = new ClientConnections(options.clientLimits ?? defaultClientLimits);
  function addHeaders(request: FastifyRequest, reply: FastifyReply): void {
    reply.header('x-request-id', request.id);
    options.addHeaders?.(request, reply);
  }
  const app = fastify({
    ...connectionLimits(options.headersTimeoutMs),
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit,
    ...(trustProxy && { trustProxy }),
    genReqId: (request) => requestIdOf(request.headers),
    forceCloseConnections: 'idle',
    // Requests that arrive while closing are still handled, with `Connection: close`.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 4_096 },
    rewriteUrl: toOriginForm,
    frameworkErrors(error, request, reply) {
      // Hooks do not run for requests that fail before routing.
      addHeaders(request, reply);
      handleError(error, request, reply);
    },
    clientErrorHandler: (error, socket) => clients.onClientError(error, socket as Socket),
    schemaController: { compilersFactory: { buildSerializer } },
    schemaErrorFormatter: (errors) => Object.assign(new Error(STATUS_CODES[400]), { validation: errors }),
  }).withTypeProvider<TypeBoxTypeProvider>();
  closeIdleConnections(app, clients);
  recordRoutes(app);
  acceptJsonBodies(app);
  app.setValidatorCompiler(compileValidator);
  app.setErrorHandler(handleError);
  app.setNotFoundHandler(() => {
    throw new HubError('route_not_found');
  });
  app.addHook('onRequest', (request, reply, done) => {
    clients.enqueue(request.raw, reply.raw, (error) => {
      addHeaders(request, reply);
      done(error);
    });
  });
  measureResponses(app, metrics);
  if (options.consistencyTokens) sendConsistencyTokens(app, options.consistencyTokens);
  reportIgnoredParameters(app);
  return app;
}

const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/is;

/**
 * Returns the path and the query of a request target. Servers must accept targets with a host, which then replaces the
 * `Host` header (RFC 9112 section 3.2.2).
 */
function toOriginForm(request: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const { url: target = '' } = request;
  if (target.startsWith('/')) return target;
  const [, host, rest] = absoluteForm.exec(target) ?? [];
  if (host === undefined || rest === undefined) return target;
  request.headers.host = host;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

const buildCompiled = SerializerSelector();

/** Compiles serializers on first use: compiling hundreds of them would slow down the start. */
const buildSerializer: ReturnType<typeof SerializerSelector> = (externalSchemas, options) => {
  const compile = buildCompiled(externalSchemas, options);
  return (route) => {
    let serialize: ReturnType<typeof compile> | undefined;
    return (value) => {
      serialize ??= compile(route);
      return serialize(value);
    };
  };
};

/** Returns the routes of an application that is ready; the contract is generated from them. */
export function declaredRoutes(app: Pick<FastifyInstance, 'server'>): readonly RouteOptions[] {
  return recordedRoutes.get(app.server) ?? [];
}

/** Records all routes that are declared from now on. */
function recordRoutes(app: Pick<FastifyInstance, 'server' | 'addHook'>): void {
  const routes: RouteOptions[] = [];
  recordedRoutes.set(app.server, routes);
  app.addHook('onRoute', (route) => void routes.push(route));
}

/** Closes connections as soon as they are idle while the application closes. */
function closeIdleConnections(app: HubApp, clients: ClientConnections): void {
  app.server.on('connection', (socket) => clients.onConnection(socket));
  let sweeping: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    sweeping = setInterval(() => {
      app.server.closeIdleConnections();
      clients.closeUnused();
    }, idleSweepMs);
  });
  app.addHook('onClose', async () => clearInterval(sweeping));
}

/**
 * Adds `x-hub-consistency-token` to responses of writes during which this process announced a change, so that the
 * caller sees the change in its next read. The token covers changes of concurrent requests too. Must be called before
 * routes are added.
 */
function sendConsistencyTokens(app: HubApp, notifier: Pick<ChangeNotifier, 'last'>): void {
  const countBefore = new WeakMap<FastifyRequest, number>();
  app.addHook('onRoute', (route) => {
    if (['GET', 'HEAD'].includes([route.method].flat()[0] ?? 'GET')) return;
    route.preHandler = [
      (request, _reply, done) => {
        countBefore.set(request, notifier.last().count);
        done();
      },
      ...[route.preHandler ?? []].flat(),
    ];
    route.onSend = [
      ...[route.onSend ?? []].flat(),
      (request, reply, payload, done) => {
        const { count, token } = notifier.last();
        const before = countBefore.get(request);
        if (before !== undefined && count > before) reply.header('x-hub-consistency-token', token);
        done(null, payload);
      },
    ];
  });
}

function operationOf(request: { routeOptions: { schema?: unknown } }): string {
  const schema = request.routeOptions.schema as { operationId?: string } | undefined;
  return schema?.operationId ?? 'none';
}

function measureResponses(app: HubApp, { httpSeconds }: ServiceMetrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const labels = { operation: operationOf(request), status: String(reply.statusCode) };
    httpSeconds.observe(labels, reply.elapsedTime / 1000);
    done();
  });
}

/**
 * Accepts only JSON bodies. Keys that would change prototypes are removed; an empty body with a JSON content type,
 * which front ends send with every request, counts as no body.
 */
function acceptJsonBodies(app: HubApp): void {
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.removeContentTypeParser('text/plain');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined);
    if (isCompressed(request.headers)) return done(compressedBody());
    return parse(request, body, done);
  });
}

const isCompressed = ({ 'content-encoding': encoding = 'identity' }: FastifyRequest['headers']) =>
  encoding.toLowerCase() !== 'identity';

const compressedBody = () =>
  new HubError('unsupported_media_type', { message: 'The body must not be compressed.' });

/** Lists in `X-Hub-Ignored` the unknown query parameters of an operation, percent-encoded, at most 20. */
function reportIgnoredParameters(app: HubApp): void {
  app.addHook('preValidation', (request, reply, done) => {
    // Fast path: most requests have no query.
    const ignored = request.url.includes('?') ? describeIgnored(request) : undefined;
    if (ignored !== undefined) reply.header('x-hub-ignored', ignored);
    done();
  });
}

interface OperationSchema {
  readonly response?: object;
  readonly querystring?: { readonly properties?: object };
}

/** Returns the unknown query parameters as the value of a header; undefined when there are none. */
function describeIgnored(request: FastifyRequest): string | undefined {
  const schema = request.routeOptions.schema as OperationSchema | undefined;
  // Forwarded routes have no schema; the service behind the gateway checks them.
  if (schema?.response === undefined) return undefined;
  const known = schema.querystring?.properties ?? {};
  const ignored = Object.keys(request.query as object).filter((name) => !Object.hasOwn(known, name));
  if (ignored.length === 0) return undefined;
  return ignored
    .slice(0, maxIgnoredNames)
    .map((name) => encodeURIComponent(name.slice(0, maxIgnoredNameLength).toWellFormed()))
    .join(', ');
}
