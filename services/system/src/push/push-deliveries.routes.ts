import { access, type HubApp } from '@birdhub/shared/app';
import type { PrismaClient } from '@birdhub/shared/db';
import type { Static } from 'typebox';
import type { Message } from '../notifications/channel.js';
import { listDeliveries } from '../notifications/deliveries.store.js';
import { DeliveriesQuerySchema, DeliveriesSchema, type DeliverySchema } from './push-deliveries.schema.js';

type Delivery = Static<typeof DeliverySchema>;
type DeliveryRow = Awaited<ReturnType<typeof listDeliveries>>[number];

const schema = {
  operationId: 'listPushDeliveries',
  summary: 'List notification deliveries',
  description: 'Newest first.',
  tags: ['push'],
  security: access.admin,
  querystring: DeliveriesQuerySchema,
  response: { 200: DeliveriesSchema },
};

function toDelivery(row: DeliveryRow): Delivery {
  const { id, channel, target, state, attempts, error, notification, createdAt, nextAttemptAt } = row;
  return {
    id,
    channel: channel as Delivery['channel'],
    target: target || null,
    state: state as Delivery['state'],
    attempts,
    error,
    title: (notification.message as unknown as Message).title,
    visit_id: notification.visitId,
    created_at: createdAt.toISOString(),
    next_attempt_at: state === 'pending' ? nextAttemptAt.toISOString() : null,
  };
}

/** `GET /push/deliveries` */
export function pushDeliveriesRoutes(app: HubApp, { prisma }: { readonly prisma: PrismaClient }): void {
  app.get('/api/ui/push/deliveries', { schema }, async ({ query }) => {
    const { limit, cursor = Number.MAX_SAFE_INTEGER } = query;
    const found = await listDeliveries(prisma, cursor, limit + 1);
    const rows = found.slice(0, limit);
    const next = found.length > limit ? rows.at(-1)?.id : undefined;
    return { deliveries: rows.map(toDelivery), next_cursor: next ?? null };
  });
}
