import { refuse } from '@birdhub/shared/errors';
import { type Static, Type } from 'typebox';
import {
  absoluteUrl,
  type ChannelKind,
  checkAddress,
  oneLine,
  originOf,
  parseObject,
  type Shipment,
  toOutcome,
  withReason,
} from './channel.js';
import { attempt, jsonBody, type PostRequest } from './channel-http.js';

/** The options of an ntfy topic. */
export const ntfyOptions = Type.Object(
  {
    url: Type.String({
      default: 'https://ntfy.sh',
      minLength: 1,
      maxLength: 2_000,
      description: 'URL of the ntfy server',
    }),
    topic: Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[-_A-Za-z0-9]+$',
      description: 'ntfy topic',
    }),
    username: Type.String({
      default: '',
      maxLength: 200,
      description: 'User name for the password, if one is set',
    }),
    priority: Type.Integer({
      default: 3,
      minimum: 1,
      maximum: 5,
      description: 'Priority from 1 (min) to 5 (urgent)',
    }),
    tags: Type.Array(Type.String({ minLength: 1, maxLength: 50, pattern: '^[^,\\s]+$' }), {
      default: ['bird'],
      maxItems: 5,
      description: 'Tags; ntfy shows names of emoji as emoji',
    }),
    picture: Type.Boolean({ default: true, description: 'Whether to send the picture of the bird' }),
  },
  { additionalProperties: false },
);

type NtfyOptions = Static<typeof ntfyOptions>;

/** The default limit of ntfy.sh; other servers may have lower ones. https://docs.ntfy.sh/config/#attachments */
const maxPictureBytes = 2_000_000;
const maxTitleLength = 250;
/** ntfy converts longer messages to attachments. */
const maxMessageBytes = 3_500;
const maxHeaderMessageLength = 1_000;
/** Status codes when ntfy rejects the file; the text is then sent without it. */
const refusedFile: ReadonlySet<number> = new Set([400, 413]);

/** Publishes messages to a topic, with the picture as an attachment. https://docs.ntfy.sh/publish/ */
export function createNtfyChannel(post: PostRequest): ChannelKind<typeof ntfyOptions> {
  async function deliver(shipment: Shipment<NtfyOptions>) {
    const { picture, options } = shipment;
    const base = options.url.replace(/\/+$/, '');
    const authorization = authorizationOf(shipment);
    if (picture) {
      const url = new URL(`${base}/${options.topic}`);
      const headers = { ...headersOf(shipment), ...authorization, filename: picture.name };
      const response = await post({ url, method: 'PUT', headers, body: picture.content });
      if (!refusedFile.has(response.status)) return response;
    }
    const { headers, body } = jsonBody(contentOf(shipment));
    return post({ url: new URL(`${base}/`), headers: { ...headers, ...authorization }, body });
  }

  return {
    options: ntfyOptions,
    secrets: ['token', 'password'],
    media: ({ picture }) => ({ maxPictureBytes: picture ? maxPictureBytes : 0 }),
    check: ({ url, username }, { token, password }) => [
      ...checkAddress(url, '/options/url'),
      ...(password && !username ? [refuse('/options/username', 'needed_with_password')] : []),
      ...(password && token ? [refuse('/secrets/token', 'token_or_password')] : []),
    ],
    addressOf: ({ url }) => originOf(url),
    send: (shipment) =>
      attempt(async () => {
        const response = await deliver(shipment);
        return withReason(toOutcome(response), parseObject(response.text)['error']);
      }),
  };
}

function authorizationOf({ options, secrets }: Shipment<NtfyOptions>): Record<string, string> {
  const { token, password } = secrets;
  if (token) return { authorization: `Bearer ${oneLine(token)}` };
  if (!password) return {};
  return { authorization: `Basic ${Buffer.from(`${options.username}:${password}`).toString('base64')}` };
}

function contentOf({ message, options }: Shipment<NtfyOptions>) {
  const click = absoluteUrl(message.url);
  const icon = absoluteUrl(message.icon);
  const attach = options.picture ? absoluteUrl(message.image) : undefined;
  return {
    topic: options.topic,
    title: oneLine(message.title).slice(0, maxTitleLength),
    message: cut(message.body, maxMessageBytes) || oneLine(message.title).slice(0, maxTitleLength),
    priority: options.priority,
    tags: options.tags,
    ...(click && { click }),
    ...(icon && { icon }),
    ...(attach && { attach, filename: 'bird.jpg' }),
  };
}

/** Returns the message as headers, when the body is a file. */
function headersOf({ message, options }: Shipment<NtfyOptions>): Record<string, string> {
  const click = absoluteUrl(message.url);
  const icon = absoluteUrl(message.icon);
  return {
    title: toHeader(oneLine(message.title).slice(0, maxTitleLength)),
    message: toHeader(message.body.slice(0, maxHeaderMessageLength)),
    priority: String(options.priority),
    tags: toHeader(options.tags.join(',')),
    ...(click && { click: toHeader(click) }),
    ...(icon && { icon: toHeader(icon) }),
  };
}

/** Returns a text as an encoded word (RFC 2047), unless it is plain ASCII that does not look like one. */
function toHeader(text: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(text) && !text.includes('=?') && !text.includes('\\n');
  return isPlain ? text.trim() : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
}

/** Truncates a text to a number of bytes. */
function cut(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  return new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true });
}
