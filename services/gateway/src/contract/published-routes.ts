import type { RouteLimit } from '@birdhub/shared/app';
import type { FastifySchema, RouteOptions } from 'fastify';

/** A service and its declared routes. */
export interface ServiceRoutes {
  readonly service: string;
  readonly routes: readonly RouteOptions[];
}

/** A published route. */
export interface PublishedRoute {
  readonly service: string;
  readonly method: string;
  /** As published: `/api/ui/videos/{id}`. */
  readonly path: string;
  readonly schema: FastifySchema;
  readonly isWildcard: boolean;
  readonly limit: RouteLimit | undefined;
}

/**
 * Returns the published routes of all services, by path and method.
 * @throws when one breaks a rule of the contract
 */
export function listPublishedRoutes(services: readonly ServiceRoutes[]): PublishedRoute[] {
  const all = services
    .flatMap(({ service, routes }) => routes.flatMap((route) => toPublishedRoutes(service, route)))
    .filter(isNotImpliedHead);
  for (const { method, path, schema } of all) {
    if (!schema.operationId) throw new Error(`${method} ${path} has no operationId`);
    if (!schema.security) throw new Error(`${method} ${path} declares no access rule`);
  }
  requireUnique(
    'path',
    all.map(({ method, path }) => `${method} ${path}`),
  );
  requireUnique(
    'operationId',
    all.map(({ schema }) => String(schema.operationId)),
  );
  const key = ({ method, path }: PublishedRoute) => `${path} ${method}`;
  return all.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function toPublishedRoutes(service: string, route: RouteOptions): PublishedRoute[] {
  const { url, schema = {} } = route;
  if (schema.hide) return [];
  const methods = [route.method].flat();
  const path = toContractPath(url);
  const isWildcard = url.endsWith('*');
  const limit = route.config?.limit;
  return methods.map((method) => ({ service, method, path, schema, isWildcard, limit }));
}

/** Converts a route to its published form: `/videos/:id` to `/videos/{id}`, `/recordings/*` to `/recordings/{path}`. */
function toContractPath(pattern: string): string {
  return pattern.replace(/\*$/, '{path}').replace(/:(\w+)/g, '{$1}');
}

function requireUnique(kind: string, keys: readonly string[]): void {
  const duplicate = keys.find((key, index) => keys.indexOf(key) !== index);
  if (duplicate !== undefined) throw new Error(`Two operations share the ${kind} ${duplicate}`);
}

/** HEAD is implied by GET and only published without one. */
function isNotImpliedHead(
  { method, path }: PublishedRoute,
  _index: number,
  all: readonly PublishedRoute[],
): boolean {
  return method !== 'HEAD' || !all.some((other) => other.method === 'GET' && other.path === path);
}
