// Makes operationId, summary, tags, security and hide known to the types of route schemas, in every service.
/// <reference types="@fastify/swagger" preserve="true" />
import type { IncomingMessage, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify';
import type { Logger } from 'pino';
import { HubError } from '../errors/index.js';
import type { ServiceMetrics } from '../metrics/index.js';
import { compileValidator } from '../validation/validators.js';
import { ClientConnections, type ClientLimits } from './client-connections.js';
import { connectionLimits } from './connection-limits.js';
import { recordRoutes } from './declared-routes.js';
import { handleError } from './error-handler.js';
import { nameIgnoredParameters } from './ignored-parameters.js';
import { takeJsonBodies } from './json-bodies.js';
import { requestIdOf } from './request-id.js';

/** A Fastify instance that infers the types of its routes from their TypeBox schemas. */
export type HubApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** What an application is made of, whichever service it is. */
export interface AppOptions {
  readonly log: Logger;
  readonly metrics: ServiceMetrics;
  /** Largest body in bytes; routes may set their own. */
  readonly bodyLimit?: number;
  /** Whether the `X-Forwarded-*` of this peer address are believed; no one's without it. */
  readonly trustProxy?: (address: string) => boolean;
  /** Longest time a client may take to send the head of its request. */
  readonly headersTimeoutMs?: number;
  /** What clients may take; those of a service behind the gateway without it. */
  readonly clientLimits?: ClientLimits;
  /** Adds to every answer, to that of a malformed URL as well. */
  readonly addHeaders?: (request: FastifyRequest, reply: FastifyReply) => void;
}

/** Laxer than those of the gateway, so that it is the gateway that tells a slow client. */
const defaultClientLimits: ClientLimits = { readStallTimeoutMs: 300_000, bodyWindowMs: 60_000 };

function operationOf(request: { routeOptions: { schema?: unknown } }): string {
  const schema = request.routeOptions.schema as { operationId?: string } | undefined;
  return schema?.operationId ?? 'none';
}

function measureAnswers(app: HubApp, { httpSeconds }: ServiceMetrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const labels = { operation: operationOf(request), status: String(reply.statusCode) };
    httpSeconds.observe(labels, reply.elapsedTime / 1000);
    done();
  });
}

const idleSweepMs = 100;

/** While the application closes, connections are closed as soon as nothing is asked on them. */
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

/** An application with the house's request ids, validation, error bodies and HTTP metrics, without routes. */
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
    // What arrives while closing is still answered, with `Connection: close`.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 600 },
    frameworkErrors(error, request, reply) {
      // What fails before the routes does not go through their hooks.
      addHeaders(request, reply);
      handleError(error, request, reply);
    },
    clientErrorHandler: (error, socket) => clients.onClientError(error, socket as Socket),
    schemaErrorFormatter: (errors) => Object.assign(new Error(STATUS_CODES[400]), { validation: errors }),
  }).withTypeProvider<TypeBoxTypeProvider>();
  closeIdleConnections(app, clients);
  recordRoutes(app);
  takeJsonBodies(app);
  app.setValidatorCompiler(compileValidator);
  app.setErrorHandler(handleError);
  app.setNotFoundHandler(() => {
    throw new HubError('route_not_found');
  });
  app.addHook('onRequest', (request, reply, done) => {
    clients.inTurn(request.raw, reply.raw, (error) => {
      addHeaders(request, reply);
      done(error);
    });
  });
  measureAnswers(app, metrics);
  nameIgnoredParameters(app);
  return app;
}
