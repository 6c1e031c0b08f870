import { type AppOptions, createApp, type HubApp } from '@birdhub/shared/app';
import type { Contract } from '@birdhub/shared/contract';
import type { FastifyRequest } from 'fastify';
import { contractRoutes } from './contract/contract.routes.js';
import { askServices } from './health/ask-services.js';
import { healthRoutes } from './health/health.routes.js';
import { unknownsRoutes } from './legacy/unknowns.routes.js';
import { otherMethodRoutes } from './proxy/other-methods.routes.js';
import { prefixOf } from './proxy/prefix-of.js';
import { proxyRoutes } from './proxy/proxy.routes.js';
import type { Upstreams } from './proxy/upstreams.js';
import { landingRoutes } from './web/landing.routes.js';

/** What the gateway is handed. */
export interface GatewayDeps extends Pick<AppOptions, 'log' | 'metrics'> {
  readonly contract: Contract;
  /** The document as it is published. */
  readonly contractText: string;
  readonly upstreams: Upstreams;
  readonly internalSecret: string | undefined;
  /** Path below which the hub answers, without a slash at its end. */
  readonly basePath: string;
  /** Whether the `X-Forwarded-*` of a peer are believed. */
  readonly isTrusted: (address: string | undefined) => boolean;
  /** Longest time until a service begins its answer. */
  readonly timeoutMs: number;
}

/** The front door: its own routes, and every other operation of the contract forwarded to its service. */
export function createGatewayApp(deps: GatewayDeps): HubApp {
  const { log, metrics, contract, contractText: text, basePath, upstreams, internalSecret } = deps;
  const { operations, version } = contract;
  const app = createApp({ log, metrics, trustProxy: deps.isTrusted });
  const prefix = (request: FastifyRequest) => prefixOf(request, deps);
  healthRoutes(app, { basePath, askServices: () => askServices(upstreams, internalSecret) });
  contractRoutes(app, { basePath, text });
  unknownsRoutes(app, { basePath, prefixOf: prefix });
  landingRoutes(app, { basePath, version, prefixOf: prefix });
  proxyRoutes(app, { ...deps, operations });
  otherMethodRoutes(app, operations, basePath);
  return app;
}
