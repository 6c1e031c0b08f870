import { type Static, Type } from 'typebox';
import {
  type Attachment,
  absoluteUrl,
  type ChannelKind,
  type Message,
  type Outcome,
  oneLine,
  parseObject,
  requireSecrets,
  type Shipment,
  toOutcome,
  withReason,
} from './channel.js';
import { attempt, formBody, jsonBody, type PostRequest, toBlob } from './channel-http.js';
import type { OutgoingResponse } from './outgoing-requests.js';

/** The options of a Telegram bot. */
export const telegramOptions = Type.Object(
  {
    chat_id: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^(-?\\d+|@\\w+)$',
      description: 'Id of the Telegram chat that the bot sends to, or `@name` of a channel',
    }),
    thread_id: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2 ** 31,
        description: 'Id of the topic in a Telegram group with topics',
      }),
    ),
    silent: Type.Boolean({
      default: false,
      description: 'Whether to send messages without a notification sound',
    }),
    picture: Type.Boolean({ default: true, description: 'Whether to send the picture of the bird' }),
    clip: Type.Boolean({
      default: true,
      description: 'Whether to send the recording, if the channel supports it',
    }),
  },
  { additionalProperties: false },
);

type TelegramOptions = Static<typeof telegramOptions>;

/**
 * https://core.telegram.org/bots/api#sending-files: 10 MB for photos, 50 MB for other files. The limits here are lower for
 * other files, as they are held in memory.
 */
const maxPictureBytes = 10_000_000;
const maxClipBytes = 20_000_000;
const maxDocumentBytes = 20_000_000;
// Below the limit of 1,024, as forms encode line breaks as two characters.
const maxCaptionLength = 1_000;
const maxTextLength = 4_096;
/** Status codes when Telegram rejects the file; the text is then sent without it. */
const refusedFile: ReadonlySet<number> = new Set([400, 413]);

/** Sends messages by a bot: with the recording, else the picture, else as text only. */
export function createTelegramChannel(
  post: PostRequest,
  apiUrl: string,
): ChannelKind<typeof telegramOptions> {
  function call(method: string, token: string, content: Awaited<ReturnType<typeof formBody>>) {
    const url = new URL(`${apiUrl.replace(/\/+$/, '')}/bot${encodeToken(token)}/${method}`);
    return post({ url, ...content });
  }

  async function deliver({
    message,
    options,
    secrets,
    picture,
    clip,
    attachments,
  }: Shipment<TelegramOptions>) {
    const token = secrets['bot_token'] ?? '';
    const chat = {
      chat_id: options.chat_id,
      ...(options.thread_id && { message_thread_id: options.thread_id }),
      ...(options.silent && { disable_notification: true }),
    };
    for (const { method, field, file } of filesOf({ picture, clip, attachments })) {
      const form = toForm({ ...chat, caption: textOf(message, maxCaptionLength) });
      if (method === 'sendVideo') form.set('supports_streaming', 'true');
      form.set(field, toBlob(file), file.name);
      const response = await call(method, token, await formBody(form));
      // Tries the next best file when Telegram rejects this one.
      if (!refusedFile.has(response.status)) return response;
    }
    const text = textOf(message, maxTextLength);
    return call('sendMessage', token, jsonBody({ ...chat, text }));
  }

  return {
    options: telegramOptions,
    secrets: ['bot_token'],
    media: ({ picture, clip }) => ({
      maxPictureBytes: picture ? maxPictureBytes : 0,
      maxClipBytes: clip ? maxClipBytes : 0,
      maxAttachmentBytes: maxDocumentBytes,
    }),
    check: (_options, secrets) => requireSecrets(secrets, ['bot_token']),
    addressOf: () => apiUrl,
    send: (shipment) => attempt(async () => toTelegramOutcome(await deliver(shipment))),
  };
}

interface SentFile {
  readonly method: string;
  readonly field: string;
  readonly file: Attachment;
}

/** Returns the files to try, best first. Telegram plays MP4 and MP3; others would be shown as documents. */
function filesOf({
  picture,
  clip,
  attachments,
}: Pick<Shipment, 'picture' | 'clip' | 'attachments'>): SentFile[] {
  const [document] = attachments;
  return [
    ...(document ? [{ method: 'sendDocument', field: 'document', file: document }] : []),
    ...(clip?.type === 'video/mp4' ? [{ method: 'sendVideo', field: 'video', file: clip }] : []),
    ...(clip?.type === 'audio/mpeg' ? [{ method: 'sendAudio', field: 'audio', file: clip }] : []),
    ...(picture ? [{ method: 'sendPhoto', field: 'photo', file: picture }] : []),
  ];
}

function toForm(fields: Readonly<Record<string, string | number | boolean>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  return form;
}

/** Encodes a token for a path; its colon must stay unescaped. */
function encodeToken(token: string): string {
  return encodeURIComponent(token).replaceAll('%3A', ':');
}

/** Returns the plain text of a message. Limits are in UTF-16 units. */
function textOf({ title, body, url }: Message, maxLength: number): string {
  const link = absoluteUrl(url);
  const heading = oneLine(title).slice(0, 200);
  const rest = body.slice(0, Math.max(0, maxLength - heading.length - (link?.length ?? 0) - 2));
  return [heading, ...(rest ? [rest] : []), ...(link ? [link] : [])].join('\n');
}

/** Telegram sends the reason and the time to wait in the body. */
function toTelegramOutcome(response: OutgoingResponse): Outcome {
  const { description, parameters } = parseObject(response.text);
  const requested = (parameters as { readonly retry_after?: unknown } | undefined)?.retry_after;
  const retryAfter = response.retryAfter ?? (typeof requested === 'number' ? String(requested) : undefined);
  return withReason(toOutcome({ ...response, retryAfter }), description);
}
