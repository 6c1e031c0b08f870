import { access, type HubApp, limits } from '@birdhub/shared/app';
import type { Database } from '@birdhub/shared/db';
import type { OutgoingGuard } from '../outgoing/outgoing-guard.js';
import { checkSubscription } from './check-subscription.js';
import {
  PushAnswerSchema,
  SubscribeBodySchema,
  UnsubscribeBodySchema,
  VapidPublicSchema,
} from './push.schema.js';
import { addSubscription, removeSubscription } from './subscriptions.store.js';
import { readVapidKeys, type VapidParts } from './vapid-keys.js';

const vapidSchema = {
  operationId: 'getVapidPublicKey',
  summary: 'Get the VAPID public key',
  tags: ['push'],
  security: access.open,
  response: { 200: VapidPublicSchema },
};

const subscribeSchema = {
  operationId: 'subscribeToPush',
  summary: 'Subscribe to web push',
  description:
    'The same endpoint again is 200, with the keys it has now. A hub has at most 50 subscriptions.',
  tags: ['push'],
  security: access.open,
  body: SubscribeBodySchema,
  response: { 200: PushAnswerSchema, 201: PushAnswerSchema },
};

const unsubscribeSchema = {
  operationId: 'unsubscribeFromPush',
  summary: 'Unsubscribe from web push',
  description: 'An endpoint that is not subscribed is 200 as well.',
  tags: ['push'],
  security: access.open,
  body: UnsubscribeBodySchema,
  response: { 200: PushAnswerSchema },
};

/** What subscriptions are taken with. */
export interface PushRouteParts extends VapidParts, Pick<Database, 'prisma' | 'transaction'> {
  readonly guard: OutgoingGuard;
}

/** `GET /push/vapid-public`, `POST /push/subscribe`, `POST /push/unsubscribe` */
export function pushRoutes(app: HubApp, parts: PushRouteParts): void {
  const { prisma, guard } = parts;

  app.get('/api/ui/push/vapid-public', { schema: vapidSchema }, async () => {
    const { publicKey } = await readVapidKeys(parts);
    return { vapid_public_key: publicKey };
  });

  const config = { limit: limits.subscription };
  app.post('/api/ui/push/subscribe', { schema: subscribeSchema, config }, async (request, reply) => {
    const { endpoint, keys } = request.body.subscription;
    const subscription = { endpoint, p256dh: keys.p256dh, auth: keys.auth };
    await checkSubscription(subscription, guard);
    const isNew = await addSubscription(parts, subscription);
    reply.code(isNew ? 201 : 200);
    return { message: isNew ? 'Subscribed.' : 'Subscribed already.' };
  });

  app.post('/api/ui/push/unsubscribe', { schema: unsubscribeSchema }, async (request) => {
    await removeSubscription(prisma, request.body.endpoint);
    return { message: 'Unsubscribed.' };
  });
}
