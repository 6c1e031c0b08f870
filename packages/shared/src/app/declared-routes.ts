import type { FastifyInstance, RouteOptions } from 'fastify';

const declared = new WeakMap<object, RouteOptions[]>();

/** Takes down every route that is declared from here on. */
export function recordRoutes(app: Pick<FastifyInstance, 'server' | 'addHook'>): void {
  const routes: RouteOptions[] = [];
  declared.set(app.server, routes);
  app.addHook('onRoute', (route) => void routes.push(route));
}

/** Every route of an application that is ready; the contract is made from them. */
export function declaredRoutes(app: Pick<FastifyInstance, 'server'>): readonly RouteOptions[] {
  return declared.get(app.server) ?? [];
}
