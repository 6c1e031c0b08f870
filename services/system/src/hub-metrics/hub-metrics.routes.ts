import { access, type HubApp } from '@birdhub/shared/app';
import { Type } from 'typebox';
import type { HubMetrics } from './hub-metrics.js';

const schema = {
  summary: 'Get metrics in the Prometheus format',
  description: 'Text format 0.0.4. Unknown values, such as the load of a GPU without a sensor, are omitted.',
  tags: ['metrics'],
  security: access.open,
  produces: ['text/plain'],
  response: { 200: Type.String() },
};

const paths = { getMetrics: '/metrics', getApiMetrics: '/api/metrics' };

/** `GET /metrics`, `GET /api/metrics` */
export function hubMetricsRoutes(app: HubApp, { hubMetrics }: { hubMetrics: HubMetrics }): void {
  for (const [operationId, path] of Object.entries(paths)) {
    app.get(path, { schema: { ...schema, operationId } }, async (_request, reply) => {
      reply.type('text/plain; version=0.0.4; charset=utf-8').header('cache-control', 'no-cache');
      return hubMetrics.text();
    });
  }
}
