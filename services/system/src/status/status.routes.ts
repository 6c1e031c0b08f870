import { access, type HubApp } from '@birdhub/shared/app';
import type { StatusReader } from './status.js';
import { StatusSchema } from './status.schema.js';

const schema = {
  operationId: 'getStatus',
  summary: 'Get the status of each part of the hub',
  tags: ['status'],
  security: access.open,
  response: { 200: StatusSchema },
};

/** `GET /status` */
export function statusRoutes(app: HubApp, { status }: { status: StatusReader }): void {
  app.get('/api/ui/status', { schema }, () => status.read());
}
