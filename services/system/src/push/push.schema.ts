import { literals } from '@birdhub/shared/config';
import { Type } from 'typebox';
import { channelKindNames } from '../channels/channel-kinds.js';

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
  { additionalProperties: true, description: 'Keys that messages are encrypted with' },
);

const endpoint = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'Address at the push service of the browser; https, and not a private one',
});

/** The result of `PushSubscription.toJSON()` of a browser; further properties are ignored. */
const SubscriptionSchema = Type.Object(
  { endpoint, keys: KeysSchema },
  {
    additionalProperties: true,
    description: 'As `PushSubscription.toJSON()` of a browser',
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
  { vapid_public_key: Type.String({ description: '`applicationServerKey` of the browser, in base64url' }) },
  { $id: 'VapidPublic' },
);

export const PushResponseSchema = Type.Object(
  { message: Type.String({ description: 'What was done, for a person' }) },
  { $id: 'PushAnswer' },
);

const instant = (description: string) => Type.String({ format: 'date-time', description });

/** The delivery of a message to a subscriber. */
export const DeliverySchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the delivery' }),
    channel: literals(channelKindNames, { description: 'How it is sent' }),
    channel_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The channel; null when it was deleted',
    }),
    channel_name: Type.Union([Type.String(), Type.Null()], { description: 'Name of the channel' }),
    target: Type.Union([Type.String(), Type.Null()], {
      description: 'Number of the subscription; null where a channel reaches but one',
    }),
    state: literals(['pending', 'sending', 'sent', 'failed', 'gone'], {
      description: '`gone` when the push service no longer knows the browser',
    }),
    attempts: Type.Integer({ minimum: 0, description: 'How often it was tried' }),
    error: Type.Union([Type.String(), Type.Null()], { description: 'Why the last attempt failed' }),
    title: Type.String({ description: 'Title of the message' }),
    visit_id: Type.Union([Type.Integer(), Type.Null()], { description: 'The visit that it is about' }),
    created_at: instant('When it was written'),
    next_attempt_at: Type.Union([instant('When it is tried next'), Type.Null()], {
      description: 'Null unless it is pending',
    }),
  },
  { $id: 'PushDelivery' },
);

/** The response of `GET /push/deliveries`. */
export const DeliveriesSchema = Type.Object(
  {
    deliveries: Type.Array(DeliverySchema, { description: 'Newest first' }),
    next_cursor: Type.Union([Type.Integer(), Type.Null()], {
      description: '`cursor` of the next page; null on the last',
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
      description: 'Deliveries before this one, as `next_cursor` of the page before',
    }),
  ),
});
