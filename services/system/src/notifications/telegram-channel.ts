import type { Settings, SettingsReader } from '@birdhub/domain/settings';
import type { PrismaClient } from '@birdhub/shared/db';
import type pg from 'pg';
import { type OutgoingResponse, sendRequest } from '../outgoing/send-request.js';
import {
  type Channel,
  type Message,
  type Outcome,
  sendTimeoutMs,
  toFailedOutcome,
  toOutcome,
} from './channel.js';
import { findNoticePicture } from './notifications.store.js';

/** What the channel needs. */
export interface TelegramDeps {
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  /** Base address of the Bot API. */
  readonly apiUrl: string;
}

const badRequest = 400;
const maxCaptionLength = 1_024;

/** Sends messages by a bot, with the picture of the detection notice if there is one. */
export function createTelegramChannel({ settings, pool, prisma, apiUrl }: TelegramDeps): Channel {
  async function call(method: string, token: string, encoded: Response): Promise<OutgoingResponse> {
    return sendRequest({
      url: new URL(`${apiUrl.replace(/\/+$/, '')}/bot${inPath(token)}/${method}`),
      headers: { 'content-type': encoded.headers.get('content-type') ?? '', 'user-agent': 'birdhub' },
      body: Buffer.from(await encoded.arrayBuffer()),
      timeoutMs: sendTimeoutMs,
    });
  }

  async function deliver(message: Message, { notifications }: Settings): Promise<OutgoingResponse> {
    const { telegram_bot_token: token, telegram_chat_id: chat } = notifications;
    const text = textOf(message);
    const picture = message.noticeId === null ? undefined : await findNoticePicture(prisma, message.noticeId);
    if (picture) {
      const response = await call('sendPhoto', token, photoForm(chat, text, picture));
      // Without the picture when Telegram refuses it.
      if (response.status !== badRequest) return response;
    }
    return call('sendMessage', token, Response.json({ chat_id: chat, text }));
  }

  return {
    targets: async ({ notifications: { telegram_bot_token: token, telegram_chat_id: chat } }) =>
      token && chat ? [''] : [],
    async send(message) {
      const current = await settings.current();
      const [isConfigured] = await this.targets(current, pool);
      if (isConfigured === undefined) return { state: 'failed', error: 'the settings name no Telegram chat' };
      try {
        return toTelegramOutcome(await deliver(message, current));
      } catch (error) {
        return toFailedOutcome(error);
      }
    },
  };
}

/** The colon of a token must stay unescaped in a path. */
function inPath(token: string): string {
  return encodeURIComponent(token).replaceAll('%3A', ':');
}

function textOf({ title, body, url }: Message): string {
  const link = /^https?:/.test(url) ? [url] : [];
  return [title, body, ...link].join('\n');
}

function photoForm(chat: string, text: string, picture: Uint8Array<ArrayBuffer>): Response {
  const fields = new FormData();
  fields.set('chat_id', chat);
  fields.set('caption', text.slice(0, maxCaptionLength));
  fields.set('photo', new Blob([picture]), 'bird.jpg');
  return new Response(fields);
}

/** Telegram sends the reason and the time to wait in the body. */
function toTelegramOutcome(response: OutgoingResponse): Outcome {
  const { description, parameters } = parseReply(response.text);
  const requested = parameters?.retry_after;
  const retryAfter = response.retryAfter ?? (typeof requested === 'number' ? String(requested) : undefined);
  const outcome = toOutcome({ ...response, retryAfter });
  if (!outcome.error || typeof description !== 'string') return outcome;
  return { ...outcome, error: `${outcome.error}: ${description.slice(0, 200)}` };
}

interface TelegramReply {
  readonly description?: unknown;
  readonly parameters?: { readonly retry_after?: unknown };
}

function parseReply(text: string): TelegramReply {
  try {
    const reply: unknown = JSON.parse(text);
    return typeof reply === 'object' && reply ? reply : {};
  } catch {
    return {};
  }
}
