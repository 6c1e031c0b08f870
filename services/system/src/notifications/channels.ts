import { createHmac } from 'node:crypto';
import type { Settings, SettingsReader } from '@birdhub/domain/settings';
import type { PrismaClient } from '@birdhub/shared/db';
import { type OutgoingGuard, RefusedAddressError } from '@birdhub/shared/outgoing';
import type pg from 'pg';
import { NoResponseError, type OutgoingResponse, sendRequest } from '../outgoing/outgoing-requests.js';
import { findNoticePicture } from './notifications.store.js';

/** A notification's content. Addresses are absolute, or root-relative where the settings have no address of the hub. */
export interface Message {
  /** Unique and permanent, such as `visit:12`. */
  readonly key: string;
  readonly title: string;
  readonly body: string;
  /** Messages with the same tag replace each other in a browser. */
  readonly tag: string;
  readonly url: string;
  readonly visitId: number | null;
  /** Picture of the species. */
  readonly icon: string | null;
  /** Picture of this bird. */
  readonly image: string | null;
  /** The detection notice that came with a picture. */
  readonly noticeId: string | null;
  readonly kind?: 'bird' | 'correction' | 'hub' | 'digest' | 'test';
  readonly ruleId?: number | null;
  readonly tags?: readonly string[];
  readonly videoId?: number | null;
  /** The detection that shows the bird best. */
  readonly detectionId?: number | null;
  readonly camera?: string | null;
  readonly species?: string | null;
  /** Address of the recording's file. */
  readonly clip?: string | null;
}

export const channelNames = ['web_push', 'webhook', 'telegram'] as const;

export type ChannelName = (typeof channelNames)[number];

/** The result of an attempt; after `retry` nothing has arrived, so another attempt is safe. */
export interface Outcome {
  readonly state: 'sent' | 'failed' | 'gone' | 'retry';
  /** Without secrets; null when it was sent. */
  readonly error: string | null;
  /** Value of `Retry-After`: seconds or an HTTP date. */
  readonly retryAfter?: string | undefined;
}

/** A way to send notifications. */
export interface Channel {
  /** Returns the recipients: one empty name for channels with a single one, none when it is not configured. */
  targets(settings: Settings, client: Pick<pg.ClientBase, 'query'>): Promise<readonly string[]>;
  /** Makes one attempt; the message expires after `ttlSeconds`. */
  send(message: Message, target: string, ttlSeconds: number): Promise<Outcome>;
}

export type Channels = Readonly<Record<ChannelName, Channel>>;

/** How long a service may take for one message. */
export const sendTimeoutMs = 10_000;

const tooManyRequests = 429;

/** Returns the outcome for a response: 429 and 5xx may be retried. */
export function toOutcome({ status, retryAfter }: OutgoingResponse): Outcome {
  if (status >= 200 && status < 300) return { state: 'sent', error: null };
  const error = `answered ${status}`;
  if (status === tooManyRequests || status >= 500) return { state: 'retry', error, retryAfter };
  return { state: 'failed', error };
}

/**
 * Returns the outcome for a request without a response. Once connected, the message may have arrived and is not sent
 * again: a duplicate is worse than a loss.
 */
export function toFailedOutcome(error: unknown): Outcome {
  if (error instanceof RefusedAddressError) return { state: 'failed', error: error.message };
  if (!(error instanceof NoResponseError)) throw error;
  const isFinal = error.mayHaveArrived || error.cause instanceof RefusedAddressError;
  return { state: isFinal ? 'failed' : 'retry', error: error.message };
}

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
