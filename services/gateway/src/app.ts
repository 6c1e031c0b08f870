import { type AppOptions, createApp, type HubApp } from '@birdhub/shared/app';
import { TokenAttempts } from '@birdhub/shared/attempts';
import type { ChangeNotifier, Database, PrismaClient } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import { Access, checkRequests } from './auth/access.js';
import type { KnownPasswords } from './auth/passwords.js';
import { sessionRoutes } from './auth/session.routes.js';
import type { AccessTokens } from './auth/tokens.js';
import { tokenRoutes } from './auth/tokens.routes.js';
import { contractRoutes } from './contract/contract.routes.js';
import type { Operation } from './contract/read-contract.js';
import { allowOrigins, SecurityHeaders } from './edge/browser-headers.js';
import { type ClientLimitOptions, connectionLimitsOf } from './edge/client-limits.js';
import { type HostOptions, requireKnownHost } from './edge/host-names.js';
import { prefixOf } from './edge/trusted-proxies.js';
import { healthRoutes } from './health/health.routes.js';
import { type AssistantSettings, mcpRoutes } from './mcp/mcp.routes.js';
import type { ExchangeTimeouts } from './proxy/exchange.js';
import { otherMethodRoutes, proxyRoutes } from './proxy/proxy.routes.js';
import type { Upstreams } from './proxy/upstreams.js';
import { unknownsRedirectRoute, webRoutes } from './web/web.routes.js';

/** Dependencies of the gateway. */
export interface GatewayDeps
  extends HostOptions,
    Pick<AppOptions, 'log' | 'metrics' | 'headersTimeoutMs'>,
    ExchangeTimeouts,
    ClientLimitOptions {
  /** The operations of the contract. */
  readonly operations: readonly Operation[];
  /** The published document. */
  readonly contractText: string;
  /** The page that shows the document; undefined when the UI is not built. */
  readonly contractPage: string | undefined;
  readonly upstreams: Upstreams;
  readonly internalSecret: string | undefined;
  /** Path prefix of the hub, without a trailing slash. */
  readonly basePath: string;
  /** Whether `X-Forwarded-*` headers of a peer are trusted. */
  readonly isTrusted: (address: string | undefined) => boolean;
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly transaction: Database['transaction'];
  readonly notifier: Pick<ChangeNotifier, 'notify' | 'wake' | 'settled'>;
  readonly clock: Clock;
  readonly tokens: AccessTokens;
  readonly passwords: KnownPasswords;
  readonly mcpToken: string | undefined;
  readonly assistantSettings: () => Promise<AssistantSettings>;
  /** Interval of the check whether the viewer of a live picture still has access. Default 10 s. */
  readonly accessCheckMs?: number | undefined;
  /** Folder of the built UI; without it no pages are served. */
  readonly webDir: string | undefined;
  /** Further origins whose pages may call the hub. */
  readonly corsOrigins: ReadonlySet<string>;
}

/** Composes the gateway: its own routes, and a proxy for all other operations of the contract. */
export function createGatewayApp(deps: GatewayDeps): HubApp {
  const { operations, contractText: text, contractPage, basePath, corsOrigins, webDir } = deps;
  const securityHeaders = new SecurityHeaders();
  const app = createApp({
    ...deps,
    clientLimits: connectionLimitsOf(deps),
    trustProxy: deps.isTrusted,
    addHeaders: (request, reply) => securityHeaders.add(request, reply),
  });
  const prefix = (request: FastifyRequest) => prefixOf(request, deps);
  const access = new Access(deps);
  const bearerAttempts = new TokenAttempts({ ...deps, kind: 'bearer' });
  app.addHook('onReady', () => securityHeaders.prepare());
  requireKnownHost(app, deps);
  allowOrigins(app, corsOrigins);
  app.register(async (routes: HubApp) => {
    checkRequests(routes, { ...deps, bearerAttempts });
    healthRoutes(routes, deps);
    contractRoutes(routes, { basePath, prefixOf: prefix, text, page: contractPage });
    unknownsRedirectRoute(routes, { basePath, prefixOf: prefix });
    if (webDir !== undefined) webRoutes(routes, { webDir, basePath, prefixOf: prefix });
    sessionRoutes(routes, { ...deps, access, prefixOf: prefix });
    tokenRoutes(routes, { ...deps, access });
    routes.register((inner: HubApp) => mcpRoutes(inner, { ...deps, prefixOf: prefix }));
    routes.register((inner: HubApp) => proxyRoutes(inner, { ...deps, access, operations }));
    otherMethodRoutes(routes, operations, basePath);
  });
  return app;
}
