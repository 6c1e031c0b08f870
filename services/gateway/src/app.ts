import { type AppOptions, createApp, type HubApp } from '@birdhub/shared/app';
import { TokenAttempts } from '@birdhub/shared/attempts';
import type { Contract } from '@birdhub/shared/contract';
import type { PrismaClient } from '@birdhub/shared/db';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import { createAccess } from './access/access.js';
import { frontDoor, type HostOptions, requireKnownHost } from './access/front-door.js';
import type { KnownPasswords } from './access/passwords.js';
import { contractRoutes } from './contract/contract.routes.js';
import { allowOrigins } from './headers/cors.js';
import { createSecurityHeaders } from './headers/security-headers.js';
import { createAskServices } from './health/ask-services.js';
import { healthRoutes } from './health/health.routes.js';
import { unknownsRoutes } from './legacy/unknowns.routes.js';
import { type ClientTolerance, clientLimitsOf } from './proxy/client-limits.js';
import type { ExchangeTimeouts } from './proxy/exchange.js';
import { otherMethodRoutes } from './proxy/other-methods.routes.js';
import { prefixOf } from './proxy/prefix-of.js';
import { proxyRoutes } from './proxy/proxy.routes.js';
import type { Upstreams } from './proxy/upstreams.js';
import { sessionRoutes } from './session/session.routes.js';
import { webRoutes } from './web/web.routes.js';

/** What the gateway is handed. */
export interface GatewayDeps
  extends HostOptions,
    Pick<AppOptions, 'log' | 'metrics' | 'headersTimeoutMs'>,
    ExchangeTimeouts,
    ClientTolerance {
  readonly contract: Contract;
  /** The document as it is published. */
  readonly contractText: string;
  readonly upstreams: Upstreams;
  readonly internalSecret: string | undefined;
  /** Path below which the hub answers, without a slash at its end. */
  readonly basePath: string;
  /** Whether the `X-Forwarded-*` of a peer are believed. */
  readonly isTrusted: (address: string | undefined) => boolean;
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly passwords: KnownPasswords;
  readonly mcpToken: string | undefined;
  /** Folder of the built UI; nothing is served at pages without it. */
  readonly webDir: string | undefined;
  /** Origins beside the hub's own whose pages may call it. */
  readonly corsOrigins: ReadonlySet<string>;
}

/** The front door: its own routes, and every other operation of the contract forwarded to its service. */
export function createGatewayApp(deps: GatewayDeps): HubApp {
  const { contract, contractText: text, basePath, upstreams, internalSecret, corsOrigins, webDir } = deps;
  const { operations } = contract;
  const securityHeaders = createSecurityHeaders();
  const app = createApp({
    ...deps,
    clientLimits: clientLimitsOf(deps),
    trustProxy: deps.isTrusted,
    addHeaders: securityHeaders.add,
  });
  const prefix = (request: FastifyRequest) => prefixOf(request, deps);
  const access = createAccess(deps);
  const bearerAttempts = new TokenAttempts({ ...deps, kind: 'bearer' });
  app.addHook('onReady', securityHeaders.prepare);
  requireKnownHost(app, deps);
  allowOrigins(app, corsOrigins);
  app.register(async (routes: HubApp) => {
    frontDoor(routes, { ...deps, bearerAttempts });
    healthRoutes(routes, { basePath, askServices: createAskServices(upstreams.health, internalSecret) });
    contractRoutes(routes, { basePath, text });
    unknownsRoutes(routes, { basePath, prefixOf: prefix });
    if (webDir !== undefined) webRoutes(routes, { webDir, basePath, prefixOf: prefix });
    sessionRoutes(routes, { ...deps, access, prefixOf: prefix });
    routes.register((inner: HubApp) => proxyRoutes(inner, { ...deps, access, operations }));
    otherMethodRoutes(routes, operations, basePath);
  });
  return app;
}
