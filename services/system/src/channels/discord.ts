import { refuse } from '@birdhub/shared/errors';
import { type Static, Type } from 'typebox';
import {
  absoluteUrl,
  type ChannelKind,
  checkAddress,
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

/** The options of a Discord webhook. */
export const discordOptions = Type.Object(
  {
    username: Type.String({
      default: '',
      maxLength: 80,
      description: 'Sender name of the messages; empty for the name of the webhook',
    }),
    picture: Type.Boolean({ default: true, description: 'Whether to send the picture of the bird' }),
  },
  { additionalProperties: false },
);

type DiscordOptions = Static<typeof discordOptions>;

/** https://discord.com/developers/docs/reference#uploading-files: 10 MiB per message. */
const maxFileBytes = 9_000_000;
const maxTitleLength = 256;
const maxDescriptionLength = 4_096;
const green = 0x2e7d32;
const refusedFile: ReadonlySet<number> = new Set([400, 413]);
/** https://discord.com/developers/docs/resources/webhook#execute-webhook */
const webhookPath = /^\/api\/(?:v\d+\/)?webhooks\/\d+\/[\w-]+\/?$/;

/** Posts messages to a Discord webhook, without mentions. */
export function createDiscordChannel(post: PostRequest): ChannelKind<typeof discordOptions> {
  async function deliver(shipment: Shipment<DiscordOptions>) {
    const { picture, attachments, secrets } = shipment;
    const url = new URL(secrets['url'] ?? '');
    // With `wait`, Discord responds after storing the message, and reports errors.
    url.searchParams.set('wait', 'true');
    const files = [...(picture ? [picture] : []), ...attachments];
    if (files.length) {
      const form = new FormData();
      form.set('payload_json', JSON.stringify(contentOf(shipment, picture?.name)));
      files.forEach((file, index) => {
        form.set(`files[${index}]`, toBlob(file), file.name);
      });
      const response = await post({ url, ...(await formBody(form)) });
      if (!refusedFile.has(response.status)) return response;
    }
    return post({ url, ...jsonBody(contentOf(shipment, undefined)) });
  }

  return {
    options: discordOptions,
    secrets: ['url'],
    media: ({ picture }) => ({
      maxPictureBytes: picture ? maxFileBytes : 0,
      maxAttachmentBytes: maxFileBytes,
    }),
    check: (_options, secrets) => {
      const missing = requireSecrets(secrets, ['url']);
      if (missing.length) return missing;
      const wrong = checkAddress(secrets['url'] ?? '', '/secrets/url');
      if (wrong.length || webhookPath.test(new URL(secrets['url'] ?? '').pathname)) return wrong;
      return [refuse('/secrets/url', 'discord_webhook')];
    },
    addressOf: () => '',
    send: (shipment) => attempt(async () => toDiscordOutcome(await deliver(shipment))),
  };
}

function contentOf({ message, options }: Shipment<DiscordOptions>, picture: string | undefined) {
  const url = absoluteUrl(message.url);
  const thumbnail = absoluteUrl(message.icon);
  const image = picture
    ? `attachment://${picture}`
    : options.picture
      ? absoluteUrl(message.image)
      : undefined;
  return {
    ...(options.username && { username: options.username }),
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: escapeMarkdown(oneLine(message.title), maxTitleLength),
        description: escapeMarkdown(message.body, maxDescriptionLength),
        color: green,
        ...(url && { url }),
        ...(image && { image: { url: image } }),
        ...(thumbnail && !picture && { thumbnail: { url: thumbnail } }),
      },
    ],
  };
}

/** Escapes Markdown, and truncates the text without splitting escapes. */
function escapeMarkdown(text: string, maxLength: number): string {
  let escaped = '';
  for (const character of text) {
    const next = /[\\*_~`|>#\-+[\]()<@:.!]/.test(character) ? `\\${character}` : character;
    if (escaped.length + next.length > maxLength) break;
    escaped += next;
  }
  return escaped;
}

/** Discord sends the seconds to wait in the body as well, with fractions. */
function toDiscordOutcome(response: OutgoingResponse): Outcome {
  const { message, retry_after: requested } = parseObject(response.text);
  const retryAfter = typeof requested === 'number' ? String(requested) : response.retryAfter;
  return withReason(toOutcome({ ...response, retryAfter }), message);
}
