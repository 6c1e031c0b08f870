import { literals } from '@birdhub/shared/config';
import { sentencesSchema } from '@birdhub/shared/errors';
import { Type } from 'typebox';
import { channelKindNames } from '../channel-kinds.js';

const KeysSchema = Type.Object(
  {
    p256dh: Type.String({
      maxLength: 200,
      description: 'Public key of the browser: a P-256 point in base64url',
    }),
    auth: Type.String({
      maxLength: 100,
      description: 'Secret shared with the browser: 16 bytes in base64url',
    }),
  },
  { additionalProperties: true, description: 'Keys used to encrypt messages' },
);

const endpoint = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'URL at the push service of the browser; must be https and not a private address',
});

/** The result of `PushSubscription.toJSON()` of a browser; further properties are ignored. */
const SubscriptionSchema = Type.Object(
  { endpoint, keys: KeysSchema },
  {
    additionalProperties: true,
    description: 'Result of `PushSubscription.toJSON()` in a browser',
  },
);

/** Body of `POST /push/subscribe`. */
export const SubscribeBodySchema = Type.Object(
  { subscription: SubscriptionSchema },
  { additionalProperties: false },
);

/** Body of `POST /push/unsubscribe`. */
export const UnsubscribeBodySchema = Type.Object({ endpoint }, { additionalProperties: false });

export const VapidPublicSchema = Type.Object(
  { vapid_public_key: Type.String({ description: '`applicationServerKey` for the browser, in base64url' }) },
  { $id: 'VapidPublic' },
);

export const PushResponseSchema = Type.Object(
  { message: Type.String({ description: 'Human-readable result' }) },
  { $id: 'PushResult' },
);

/** The path parameter of routes of one subscription. */
export const SubscriptionParamsSchema = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Id of the subscription' }),
});

const instant = (description: string) => Type.String({ format: 'date-time', description });

/** A subscription without its endpoint and keys, as anybody who has the endpoint can end the subscription. */
export const PushSubscriptionSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the subscription' }),
    host: Type.String({ description: 'Host of the push service' }),
    address: Type.Union([Type.String(), Type.Null()], {
      description: 'Client address of a browser that subscribed without being unlocked; null for others',
    }),
    failures: Type.Integer({
      minimum: 0,
      description: 'Number of consecutive messages that were not accepted',
    }),
    created_at: instant('When the browser subscribed'),
    last_ok_at: Type.Union([instant('When the last message was accepted'), Type.Null()], {
      description: 'When the push service last accepted a message; null when it never did',
    }),
  },
  { $id: 'PushSubscription' },
);

/** The delivery of a message to a subscriber. */
export const DeliverySchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the delivery' }),
    channel: literals(channelKindNames, { description: 'Kind of the channel' }),
    channel_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Id of the channel; null when it was deleted',
    }),
    channel_name: Type.Union([Type.String(), Type.Null()], {
      description: 'Name of the channel; null when it was deleted',
    }),
    target: Type.Union([Type.String(), Type.Null()], {
      description: 'Id of the subscription; null for channels with a single recipient',
    }),
    state: literals(['pending', 'sending', 'sent', 'failed', 'gone'], {
      description: 'State of the delivery; `gone` when the push service no longer knows the browser',
    }),
    attempts: Type.Integer({ minimum: 0, description: 'Number of attempts' }),
    error: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the last attempt failed; null when it did not',
    }),
    sentences: sentencesSchema('The same reason as a list of sentences, for translation'),
    title: Type.String({ description: 'Title of the message' }),
    visit_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Id of the visit; null when there is none',
    }),
    created_at: instant('When the delivery was created'),
    next_attempt_at: Type.Union([instant('When the next attempt is made'), Type.Null()], {
      description: 'Time of the next attempt; null unless the delivery is pending',
    }),
  },
  { $id: 'PushDelivery' },
);

/** The response of `GET /push/deliveries`. */
export const DeliveriesSchema = Type.Object(
  {
    deliveries: Type.Array(DeliverySchema, { description: 'Deliveries, newest first' }),
    next_cursor: Type.Union([Type.Integer(), Type.Null()], {
      description: '`cursor` of the next page; null on the last page',
    }),
  },
  { $id: 'PushDeliveries' },
);

/** The parameters of `GET /push/deliveries`. */
export const DeliveriesQuerySchema = Type.Object({
  limit: Type.Integer({ default: 50, minimum: 1, maximum: 200, description: 'Maximum number of deliveries' }),
  cursor: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: '`next_cursor` of the previous page',
    }),
  ),
});
