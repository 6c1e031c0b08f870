import { ECDH } from 'node:crypto';
import { access, type HubApp, isUnlocked, limits } from '@birdhub/shared/app';
import { forwardedKey } from '@birdhub/shared/attempts';
import type { Database } from '@birdhub/shared/db';
import { HubError, refuse, type Sentence, shownSentences } from '@birdhub/shared/errors';
import { RefusedAddressError, type ServiceGuard } from '@birdhub/shared/outgoing';
import type { Static } from 'typebox';
import type { Message } from '../channel.js';
import { portOf } from '../channel-http.js';
import { listDeliveries } from '../deliveries.store.js';
import {
  DeliveriesQuerySchema,
  DeliveriesSchema,
  type DeliverySchema,
  PushResponseSchema,
  PushSubscriptionSchema,
  SubscribeBodySchema,
  SubscriptionParamsSchema,
  UnsubscribeBodySchema,
  VapidPublicSchema,
} from './push.schema.js';
import {
  addSubscription,
  listSubscriptions,
  removeSubscription,
  type Subscription,
} from './subscriptions.store.js';
import { readVapidKeys, type VapidDeps } from './web-push-channel.js';

const vapidSchema = {
  operationId: 'getVapidPublicKey',
  summary: 'Get the VAPID public key',
  tags: ['notifications'],
  security: access.open,
  response: { 200: VapidPublicSchema },
};

const subscribeSchema = {
  operationId: 'subscribeToPush',
  summary: 'Subscribe to web push',
  description:
    'Returns 200 for an endpoint that is already subscribed, and updates its keys. A hub has at most 50 ' +
    'subscriptions, and at most 5 of one client address that were made without unlocking; an unlocked ' +
    'caller replaces the oldest of those.',
  tags: ['notifications'],
  security: access.open,
  body: SubscribeBodySchema,
  response: { 200: PushResponseSchema, 201: PushResponseSchema },
};

const unsubscribeSchema = {
  operationId: 'unsubscribeFromPush',
  summary: 'Unsubscribe from web push',
  description: 'Also returns 200 for an unknown endpoint.',
  tags: ['notifications'],
  security: access.open,
  body: UnsubscribeBodySchema,
  response: { 200: PushResponseSchema },
};

const subscriptionsSchema = {
  operationId: 'listPushSubscriptions',
  summary: 'List web push subscriptions',
  description: 'The subscriptions, oldest first, without their endpoints and keys.',
  tags: ['notifications'],
  security: access.admin,
  response: { 200: { type: 'array', items: PushSubscriptionSchema } as const },
};

const deleteSchema = {
  operationId: 'deletePushSubscription',
  summary: 'Delete a web push subscription',
  description: 'Also returns 200 for an unknown id.',
  tags: ['notifications'],
  security: access.admin,
  params: SubscriptionParamsSchema,
  response: { 200: PushResponseSchema },
};

const deliveriesSchema = {
  operationId: 'listPushDeliveries',
  summary: 'List notification deliveries',
  description: 'Newest first.',
  tags: ['notifications'],
  security: access.admin,
  querystring: DeliveriesQuerySchema,
  response: { 200: DeliveriesSchema },
};

const pointBytes = 65;
const uncompressed = 4;
const authBytes = 16;
const endpointPath = '/subscription/endpoint';
const base64url = /^[\w-]+={0,2}$/;

type Delivery = Static<typeof DeliverySchema>;
type SubscriptionRow = Awaited<ReturnType<typeof listSubscriptions>>[number];
type DeliveryRow = Awaited<ReturnType<typeof listDeliveries>>[number];

/** Dependencies of these routes. */
export interface PushRoutesDeps extends VapidDeps, Pick<Database, 'prisma' | 'transaction'> {
  readonly guard: ServiceGuard;
}

/**
 * `GET /push/vapid-public`, `POST /push/subscribe`, `POST /push/unsubscribe`, `GET /push/subscriptions`,
 * `DELETE /push/subscriptions/:id`
 */
export function pushRoutes(app: HubApp, deps: PushRoutesDeps): void {
  const { prisma, guard } = deps;

  app.get('/api/ui/push/vapid-public', { schema: vapidSchema }, async () => {
    const { publicKey } = await readVapidKeys(deps);
    return { vapid_public_key: publicKey };
  });

  const config = { limit: limits.subscription };
  app.post('/api/ui/push/subscribe', { schema: subscribeSchema, config }, async (request, reply) => {
    const { endpoint, keys } = request.body.subscription;
    const subscription = { endpoint, p256dh: keys.p256dh, auth: keys.auth };
    await checkSubscription(subscription, guard);
    const address = isUnlocked(request) ? null : forwardedKey(request);
    const isNew = await addSubscription(deps, { ...subscription, address });
    reply.code(isNew ? 201 : 200);
    return { message: isNew ? 'Subscribed.' : 'Subscribed already.' };
  });

  app.post('/api/ui/push/unsubscribe', { schema: unsubscribeSchema }, async (request) => {
    await removeSubscription(prisma, { endpoint: request.body.endpoint });
    return { message: 'Unsubscribed.' };
  });

  app.get('/api/ui/push/subscriptions', { schema: subscriptionsSchema }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return (await listSubscriptions(prisma)).map(toShown);
  });

  app.delete('/api/ui/push/subscriptions/:id', { schema: deleteSchema }, async ({ params }) => {
    await removeSubscription(prisma, { id: params.id });
    return { message: 'The subscription is deleted.' };
  });
}

/** `GET /push/deliveries` */
export function pushDeliveriesRoutes(app: HubApp, { prisma }: Pick<Database, 'prisma'>): void {
  app.get('/api/ui/push/deliveries', { schema: deliveriesSchema }, async ({ query }) => {
    const { limit, cursor = Number.MAX_SAFE_INTEGER } = query;
    const found = await listDeliveries(prisma, cursor, limit + 1);
    const rows = found.slice(0, limit);
    const next = found.length > limit ? rows.at(-1)?.id : undefined;
    return { deliveries: rows.map(toDelivery), next_cursor: next ?? null };
  });
}

/** Rejects invalid subscriptions. @throws HubError invalid_request naming the field */
async function checkSubscription(subscription: Subscription, guard: ServiceGuard): Promise<void> {
  const { endpoint } = subscription;
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const isHttps = url?.protocol === 'https:' || (guard.reach === 'all' && url?.protocol === 'http:');
  if (!url || !isHttps) throw unusable(endpointPath, 'must be an https address');
  if (url.username || url.password) throw unusable(endpointPath, 'must not have credentials');
  checkKeys(subscription);
  // A name that cannot be resolved at the moment is checked when messages are sent.
  const refusal = await guard.admit(url.hostname, portOf(url)).catch((error: unknown) => error);
  if (refusal instanceof RefusedAddressError) throw unusable(endpointPath, 'must not be a private address');
}

/** Returns the error of a subscription that no person can correct: pages say the same for all of them. */
function unusable(path: string, message: string): HubError {
  return new HubError('invalid_request', {
    message: `${path}: ${message}`,
    details: [{ ...refuse(path, 'push_subscription'), message }],
  });
}

function checkKeys({ p256dh, auth }: Subscription): void {
  if (!isPointOfCurve(decode(p256dh))) {
    throw unusable('/subscription/keys/p256dh', 'must be an uncompressed P-256 point in base64url');
  }
  if (decode(auth).length !== authBytes) {
    throw unusable('/subscription/keys/auth', 'must be 16 bytes in base64url');
  }
}

function isPointOfCurve(point: Buffer): boolean {
  if (point.length !== pointBytes || point[0] !== uncompressed) return false;
  try {
    ECDH.convertKey(point, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}

function decode(text: string): Buffer {
  return base64url.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(0);
}

function toShown(row: SubscriptionRow): Static<typeof PushSubscriptionSchema> {
  const { id, endpoint, address, failures, createdAt, lastOkAt } = row;
  return {
    id,
    host: new URL(endpoint).host,
    address,
    failures,
    created_at: createdAt.toISOString(),
    last_ok_at: lastOkAt?.toISOString() ?? null,
  };
}

function toDelivery(row: DeliveryRow): Delivery {
  const { id, channel, channelId, channelRow, target, state, attempts, error, sentences, notification } = row;
  const { createdAt, nextAttemptAt } = row;
  return {
    id,
    channel: channel as Delivery['channel'],
    channel_id: channelId,
    channel_name: channelRow?.name ?? null,
    target: target || null,
    state: state as Delivery['state'],
    attempts,
    error,
    sentences: shownSentences(sentences as Sentence[] | null),
    title: (notification.message as unknown as Message).title,
    visit_id: notification.visitId,
    created_at: createdAt.toISOString(),
    next_attempt_at: state === 'pending' ? nextAttemptAt.toISOString() : null,
  };
}
