import { access, type HubApp } from '@birdhub/shared/app';
import { HealthSchema, HubReadinessSchema } from './health.schema.js';
import { judgeReadiness, type Reports } from './hub-readiness.js';

const tags = ['status'];

const healthSchema = {
  operationId: 'getHealth',
  summary: 'Get the health of the gateway',
  tags,
  security: access.open,
  response: { 200: HealthSchema },
};

const readinessSchema = {
  operationId: 'getReadiness',
  summary: 'Get the readiness of the hub and its parts',
  tags,
  security: access.open,
  response: { 200: HubReadinessSchema, 503: HubReadinessSchema },
};

/** `GET /api/ui/health`, `GET /api/ui/readiness` */
export function healthRoutes(
  app: HubApp,
  { basePath, askServices }: { basePath: string; askServices: () => Promise<Reports> },
): void {
  app.get(`${basePath}/api/ui/health`, { schema: healthSchema }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'ok' } as const;
  });
  app.get(`${basePath}/api/ui/readiness`, { schema: readinessSchema }, async (_request, reply) => {
    const readiness = judgeReadiness(await askServices());
    reply.header('cache-control', 'no-store').code(readiness.status === 'error' ? 503 : 200);
    return readiness;
  });
}
