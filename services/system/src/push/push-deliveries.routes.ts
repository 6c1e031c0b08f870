import { access, type HubApp } from '@birdhub/shared/app';
import type pg from 'pg';
import type { Static } from 'typebox';
import { DeliveriesQuerySchema, DeliveriesSchema, type DeliverySchema } from './push-deliveries.schema.js';
import { type LoggedDelivery, listDeliveries } from './push-deliveries.store.js';

const schema = {
  operationId: 'listPushDeliveries',
  summary: 'What became of messages to people, the newest first',
  tags: ['push'],
  security: access.admin,
  querystring: DeliveriesQuerySchema,
  response: { 200: DeliveriesSchema },
};

function toDelivery(row: LoggedDelivery): Static<typeof DeliverySchema> {
  const { id, channel, target, state, attempts, error, message, visitId, createdAt, nextAttemptAt } = row;
  return {
    id,
    channel,
    target: target || null,
    state,
    attempts,
    error,
    title: message.title,
    visit_id: visitId,
    created_at: createdAt.toISOString(),
    next_attempt_at: state === 'pending' ? nextAttemptAt.toISOString() : null,
  };
}

/** `GET /push/deliveries` */
export function pushDeliveriesRoutes(app: HubApp, { pool }: { readonly pool: pg.Pool }): void {
  app.get('/api/ui/push/deliveries', { schema }, async ({ query }) => {
    const { limit, cursor = Number.MAX_SAFE_INTEGER } = query;
    const found = await listDeliveries(pool, cursor, limit + 1);
    const rows = found.slice(0, limit);
    const next = found.length > limit ? rows.at(-1)?.id : undefined;
    return { deliveries: rows.map(toDelivery), next_cursor: next ?? null };
  });
}
