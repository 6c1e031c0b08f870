import { Type } from 'typebox';

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

/** As `PushSubscription.toJSON()` of a browser; what else it holds is left aside. */
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

export const PushAnswerSchema = Type.Object(
  { message: Type.String({ description: 'What was done, for a person' }) },
  { $id: 'PushAnswer' },
);
