import type { RouteLimit } from '@birdhub/shared/app';
import type { FastifySchema, RouteOptions } from 'fastify';
import { toContractPath } from './path-pattern.js';

/** A service and the routes that it declares. */
export interface ServiceRoutes {
  readonly service: string;
  readonly routes: readonly RouteOptions[];
}

/** A route that is published. */
export interface ContractRoute {
  readonly service: string;
  readonly method: string;
  /** As published: `/api/ui/videos/{id}`. */
  readonly path: string;
  readonly schema: FastifySchema;
  readonly isWildcard: boolean;
  readonly limit: RouteLimit | undefined;
}

function toContractRoutes(service: string, route: RouteOptions): ContractRoute[] {
  const { url, schema = {} } = route;
  if (schema.hide) return [];
  const methods = [route.method].flat().filter((method) => method !== 'HEAD');
  const path = toContractPath(url);
  const isWildcard = url.endsWith('*');
  const limit = route.config?.limit;
  return methods.map((method) => ({ service, method, path, schema, isWildcard, limit }));
}

function refuseTwice(kind: string, keys: readonly string[]): void {
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined) throw new Error(`Two operations share the ${kind} ${twice}`);
}

/** The published routes of all services, by path and method. Throws when one breaks a rule of the contract. */
export function contractRoutes(services: readonly ServiceRoutes[]): ContractRoute[] {
  const all = services.flatMap(({ service, routes }) =>
    routes.flatMap((route) => toContractRoutes(service, route)),
  );
  for (const { method, path, schema } of all) {
    if (!schema.operationId) throw new Error(`${method} ${path} has no operationId`);
    if (!schema.security) throw new Error(`${method} ${path} declares no access rule`);
  }
  refuseTwice(
    'path',
    all.map(({ method, path }) => `${method} ${path}`),
  );
  refuseTwice(
    'operationId',
    all.map(({ schema }) => String(schema.operationId)),
  );
  const key = ({ method, path }: ContractRoute) => `${path} ${method}`;
  return all.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
