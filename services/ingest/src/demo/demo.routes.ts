import { access, type HubApp, limits } from '@birdhub/shared/app';
import type { Demo } from './demo.js';
import { DemoSchema, DemoStartSchema } from './demo.schema.js';

const tags = ['demo'];

const getSchema = {
  operationId: 'getDemo',
  summary: 'Get the state of the demo',
  description: 'Returns whether the hub has demo birds, and the progress of adding or deleting them.',
  tags,
  security: access.open,
  response: { 200: DemoSchema },
};

const startSchema = {
  operationId: 'startDemo',
  summary: 'Create the demo',
  description:
    'Runs in the background: creates recent days with clips and about a year of earlier visits, then adds ' +
    'one bird per minute at first. If the hub already has other birds, returns 409 `hub_not_empty` unless ' +
    '`beside_own_birds` is true.',
  tags,
  security: access.admin,
  body: DemoStartSchema,
  response: { 202: DemoSchema },
};

const removeSchema = {
  operationId: 'removeDemo',
  summary: 'Delete the demo',
  description: 'Runs in the background. Deletes everything that the demo added, and nothing else.',
  tags,
  security: access.admin,
  response: { 202: DemoSchema },
};

/** Dependencies of these routes. */
export interface DemoRoutesDeps {
  readonly demo: Pick<Demo, 'show' | 'create' | 'remove'>;
}

/** `GET, POST, DELETE /api/ui/demo` */
export function demoRoutes(app: HubApp, { demo }: DemoRoutesDeps): void {
  app.get('/api/ui/demo', { schema: getSchema }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return demo.show();
  });
  app.post(
    '/api/ui/demo',
    { schema: startSchema, config: { limit: limits.render } },
    async (request, reply) => {
      await demo.create(request.body);
      return reply.code(202).send(await demo.show());
    },
  );
  app.delete('/api/ui/demo', { schema: removeSchema }, async (_request, reply) => {
    await demo.remove();
    return reply.code(202).send(await demo.show());
  });
}
