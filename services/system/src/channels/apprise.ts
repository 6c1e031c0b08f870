import { refuse } from '@birdhub/shared/errors';
import { type Static, Type } from 'typebox';
import {
  absoluteUrl,
  type ChannelKind,
  checkAddress,
  type Outcome,
  oneLine,
  originOf,
  parseObject,
  type Shipment,
  toOutcome,
  withReason,
} from './channel.js';
import { attempt, formBody, jsonBody, type PostRequest, toBlob } from './channel-http.js';
import { say } from './delivery-failures.js';
import type { OutgoingResponse } from './outgoing-requests.js';

/** The options of an Apprise API. */
export const appriseOptions = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: 2_000, description: 'URL of the Apprise API' }),
    key: Type.String({
      default: '',
      maxLength: 128,
      pattern: '^[\\w-]*$',
      description: 'Key of a configuration stored in Apprise; empty when the services are set in `urls`',
    }),
    apprise_tag: Type.String({
      default: '',
      maxLength: 200,
      description: 'Tags of the services in the configuration to notify; all when empty',
    }),
    picture: Type.Boolean({ default: true, description: 'Whether to send the picture of the bird' }),
  },
  { additionalProperties: false },
);

type AppriseOptions = Static<typeof appriseOptions>;

const maxFileBytes = 5_000_000;
const noContent = 204;
const failedDependency = 424;

/** Sends messages by an Apprise API. https://github.com/caronc/apprise-api */
export function createAppriseChannel(post: PostRequest): ChannelKind<typeof appriseOptions> {
  async function deliver(shipment: Shipment<AppriseOptions>) {
    const { options, picture, attachments } = shipment;
    const base = options.url.replace(/\/+$/, '');
    const url = new URL(options.key ? `${base}/notify/${options.key}` : `${base}/notify/`);
    const content = contentOf(shipment);
    const files = [...(picture ? [picture] : []), ...attachments];
    if (!files.length) return post({ url, ...jsonBody(content) });
    const form = new FormData();
    for (const [name, value] of Object.entries(content)) form.set(name, value);
    for (const file of files) form.append('attachment', toBlob(file), file.name);
    const response = await post({ url, ...(await formBody(form)) });
    // A rejected request was not forwarded to any service.
    return response.status === 400 || response.status === 413
      ? post({ url, ...jsonBody(content) })
      : response;
  }

  return {
    options: appriseOptions,
    secrets: ['urls'],
    media: ({ picture }) => ({
      maxPictureBytes: picture ? maxFileBytes : 0,
      maxAttachmentBytes: maxFileBytes,
    }),
    check: ({ url, key }, { urls }) => [
      ...checkAddress(url, '/options/url'),
      ...(!key && !urls ? [refuse('/secrets/urls', 'apprise_services')] : []),
      ...(key && urls ? [refuse('/secrets/urls', 'apprise_key')] : []),
    ],
    addressOf: ({ url }) => originOf(url),
    send: (shipment) => attempt(async () => toAppriseOutcome(await deliver(shipment))),
  };
}

function contentOf({ message, options, secrets }: Shipment<AppriseOptions>): Record<string, string> {
  const link = absoluteUrl(message.url);
  return {
    title: oneLine(message.title),
    body: [message.body || oneLine(message.title), ...(link ? [link] : [])].join('\n'),
    type: 'info',
    format: 'text',
    ...(options.key
      ? {}
      : {
          urls: (secrets['urls'] ?? '')
            .split(/[\s,]+/)
            .filter(Boolean)
            .join(','),
        }),
    ...(options.apprise_tag && { tag: options.apprise_tag }),
  };
}

/** After 424 some of the services may have received the message. */
function toAppriseOutcome(response: OutgoingResponse): Outcome {
  if (response.status === noContent) return { state: 'failed', failure: say('apprise_key_unknown') };
  const outcome = toOutcome(response);
  if (response.status === failedDependency) return { state: 'failed', failure: say('apprise_incomplete') };
  return withReason(outcome, parseObject(response.text)['error']);
}
