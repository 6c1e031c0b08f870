import { createHmac } from 'node:crypto';
import type { SettingsReader } from '@birdhub/domain/settings';
import type { OutgoingGuard } from '../outgoing/outgoing-guard.js';
import { sendRequest } from '../outgoing/send-request.js';
import { type Channel, type Message, sendTimeoutMs, toFailedOutcome, toOutcome } from './channel.js';

/** What the channel needs. */
export interface WebhookDeps {
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly guard: OutgoingGuard;
}

function bodyOf({ key, title, body, tag, url, visitId, icon, image }: Message): Buffer {
  return Buffer.from(JSON.stringify({ id: key, title, body, tag, url, visit_id: visitId, icon, image }));
}

function headersOf({ key }: Message, body: Buffer, secret: string): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'birdhub',
    'x-birdhub-delivery': key,
    ...(secret && {
      'x-birdhub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    }),
  };
}

/** Posts messages as JSON, signed with the secret of the settings (HMAC-SHA256 of the bytes of the body). */
export function createWebhookChannel({ settings, guard }: WebhookDeps): Channel {
  return {
    targets: async ({ webhook }) => (webhook.url ? [''] : []),
    async send(message) {
      const { webhook } = await settings.current();
      if (!URL.canParse(webhook.url)) return { state: 'failed', error: 'the settings name no webhook' };
      const url = new URL(webhook.url);
      const body = bodyOf(message);
      const headers = headersOf(message, body, webhook.secret);
      try {
        await guard.check(url);
        const { lookup } = guard;
        return toOutcome(await sendRequest({ url, headers, body, timeoutMs: sendTimeoutMs, lookup }));
      } catch (error) {
        return toFailedOutcome(error);
      }
    },
  };
}
