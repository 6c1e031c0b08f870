import type { Settings, SettingsReader } from '@birdhub/domain/settings';
import type { PrismaClient } from '@birdhub/shared/db';
import type pg from 'pg';
import { type OutgoingAnswer, sendRequest } from '../outgoing/send-request.js';
import { type Channel, type Message, type Outcome, sendTimeoutMs } from './channel.js';
import { judgeAnswer, judgeFailure } from './judge-answer.js';
import { findNoticePicture } from './news.store.js';

/** What Telegram is told with. */
export interface TelegramParts {
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  /** The Bot API, or a server of one's own that speaks it. */
  readonly apiUrl: string;
}

const badRequest = 400;
const mostCaptionLength = 1_024;

/** A token holds a colon, which stays as it is in a path. */
const inPath = (token: string) => encodeURIComponent(token).replaceAll('%3A', ':');

function textOf({ title, body, url }: Message): string {
  const link = /^https?:/.test(url) ? [url] : [];
  return [title, body, ...link].join('\n');
}

interface Reply {
  readonly description?: unknown;
  readonly parameters?: { readonly retry_after?: unknown };
}

function readReply(text: string): Reply {
  try {
    const reply: unknown = JSON.parse(text);
    return typeof reply === 'object' && reply ? reply : {};
  } catch {
    return {};
  }
}

/** Telegram says in the body what is wrong and how long to wait. */
function judgeReply(answer: OutgoingAnswer): Outcome {
  const { description, parameters } = readReply(answer.text);
  const asked = parameters?.retry_after;
  const retryAfter = answer.retryAfter ?? (typeof asked === 'number' ? String(asked) : undefined);
  const outcome = judgeAnswer({ ...answer, retryAfter });
  if (!outcome.error || typeof description !== 'string') return outcome;
  return { ...outcome, error: `${outcome.error}: ${description.slice(0, 200)}` };
}

function photoForm(chat: string, text: string, picture: Uint8Array<ArrayBuffer>): Response {
  const fields = new FormData();
  fields.set('chat_id', chat);
  fields.set('caption', text.slice(0, mostCaptionLength));
  fields.set('photo', new Blob([picture]), 'bird.jpg');
  return new Response(fields);
}

/** Sends messages by a bot, with the picture of the announcement where there is one. */
export function createTelegramChannel({ settings, pool, prisma, apiUrl }: TelegramParts): Channel {
  async function call(method: string, token: string, encoded: Response): Promise<OutgoingAnswer> {
    return sendRequest({
      url: new URL(`${apiUrl.replace(/\/+$/, '')}/bot${inPath(token)}/${method}`),
      headers: { 'content-type': encoded.headers.get('content-type') ?? '', 'user-agent': 'birdhub' },
      body: Buffer.from(await encoded.arrayBuffer()),
      timeoutMs: sendTimeoutMs,
    });
  }

  async function tell(message: Message, { notifications }: Settings): Promise<OutgoingAnswer> {
    const { telegram_bot_token: token, telegram_chat_id: chat } = notifications;
    const text = textOf(message);
    const picture = message.noticeId === null ? undefined : await findNoticePicture(prisma, message.noticeId);
    if (picture) {
      const answer = await call('sendPhoto', token, photoForm(chat, text, picture));
      // A picture that Telegram does not take must not keep the words away.
      if (answer.status !== badRequest) return answer;
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
        return judgeReply(await tell(message, current));
      } catch (error) {
        return judgeFailure(error);
      }
    },
  };
}
