import { createHmac } from 'node:crypto';
import { Type } from 'typebox';
import { type ChannelKind, checkAddress, type Message, originOf, toOutcome } from './channel.js';
import { attempt, type PostRequest } from './channel-http.js';

/** The options of a webhook. */
export const webhookOptions = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'URL to which each message is posted',
    }),
  },
  { additionalProperties: false },
);

function bodyOf({ key, title, body, tag, url, visitId, icon, image, clip = null }: Message): Buffer {
  return Buffer.from(
    JSON.stringify({ id: key, title, body, tag, url, visit_id: visitId, icon, image, clip }),
  );
}

function headersOf({ key }: Message, body: Buffer, secret: string): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'x-birdhub-delivery': key,
    ...(secret && {
      'x-birdhub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    }),
  };
}

/** Posts messages as JSON, signed with the secret if there is one (HMAC-SHA256 of the bytes of the body). */
export function createWebhookChannel(post: PostRequest): ChannelKind<typeof webhookOptions> {
  return {
    options: webhookOptions,
    secrets: ['secret'],
    media: () => ({}),
    check: ({ url }) => checkAddress(url, '/options/url'),
    addressOf: ({ url }) => originOf(url),
    send({ message, options, secrets }) {
      const body = bodyOf(message);
      const headers = headersOf(message, body, secrets['secret'] ?? '');
      return attempt(async () => toOutcome(await post({ url: new URL(options.url), headers, body })));
    },
  };
}
