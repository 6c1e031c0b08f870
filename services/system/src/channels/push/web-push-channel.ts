import type { Settings, SettingsReader, SettingsWriter } from '@birdhub/domain/settings';
import type { PrismaClient } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import type { ServiceGuard } from '@birdhub/shared/outgoing';
import type { Clock } from '@birdhub/shared/time';
import type { Logger } from 'pino';
import { Type } from 'typebox';
import {
  type ChannelKind,
  type Message,
  type Outcome,
  sendTimeoutMs,
  toFailedOutcome,
  toOutcome,
} from '../channel.js';
import { admit, portOf } from '../channel-http.js';
import { say, toEnglish } from '../delivery-failures.js';
import { sendRequest } from '../outgoing-requests.js';
import {
  findSubscription,
  listSubscriptionIds,
  recordOutcome,
  removeSubscription,
  type Subscription,
} from './subscriptions.store.js';

/** The keys that identify the hub to push services (RFC 8292), in base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Dependencies of the VAPID keys. */
export interface VapidDeps {
  readonly settings: Pick<SettingsReader, 'current' | 'forget'>;
  readonly settingsWriter: Pick<SettingsWriter, 'read' | 'change'>;
}

/** Dependencies of the channel. */
export interface WebPushDeps extends VapidDeps {
  readonly prisma: PrismaClient;
  readonly clock: Clock;
  readonly guard: Pick<ServiceGuard, 'admit'>;
  readonly log: Logger;
}

const goneStatuses: readonly number[] = [404, 410];
/** Push services accept 4,096 bytes, of which encryption needs 103. */
const maxPayloadBytes = 3_900;
/** Contact for push services (RFC 8292) of a hub without a public address. */
const anonymousSubject = 'mailto:birdhub@birdhub.example';

/** Returns the contact for push services of a hub at an address, which may be empty or invalid. */
export const subjectOf = (baseUrl: string) =>
  baseUrl.startsWith('https://') && URL.canParse(baseUrl) ? baseUrl : anonymousSubject;

/** Returns the payload of a message, without pictures and with a shorter text if it would be too long. */
export function toPayload({ title, body, tag, url, visitId, icon, image }: Message): string {
  const text = { title, body, tag, url, visit_id: visitId };
  const pictures = { ...(icon && { icon }), ...(image && { image }) };
  const full = JSON.stringify({ ...text, ...pictures });
  if (Buffer.byteLength(full) <= maxPayloadBytes) return full;
  const room = maxPayloadBytes - Buffer.byteLength(JSON.stringify({ ...text, body: '' }));
  return JSON.stringify({ ...text, body: cutText(body, room) });
}

/** Returns the bytes of a text in JSON, without its quotes. */
const jsonBytes = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2;

/** Cuts a text between characters to a number of bytes in JSON. */
function cutText(text: string, maxBytes: number): string {
  if (jsonBytes(text) <= maxBytes) return text;
  let bytes = jsonBytes('…');
  let cut = '';
  for (const character of text) {
    bytes += jsonBytes(character);
    if (bytes > maxBytes) break;
    cut += character;
  }
  return `${cut}…`;
}

/** Web push has no options: browsers subscribe. */
export const webPushOptions = Type.Object({}, { additionalProperties: false });

/** Creates the channel, which encrypts messages for each browser (RFC 8291) and sends them to its push service. */
export function createWebPushChannel(deps: WebPushDeps): ChannelKind<typeof webPushOptions> {
  const { prisma, guard, clock, log, settings } = deps;

  async function toRequest({ endpoint, p256dh, auth }: Subscription, message: Message, ttlSeconds: number) {
    const { base_url } = (await settings.current()).notifications;
    const vapidDetails = { subject: subjectOf(base_url), ...(await readVapidKeys(deps)) };
    const { generateRequestDetails } = (await import('web-push')).default;
    const options = { vapidDetails, TTL: ttlSeconds };
    const payload = toPayload(message);
    try {
      return generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, options);
    } catch (error) {
      log.warn({ err: error }, 'web push message not encrypted');
      return undefined;
    }
  }

  async function push(url: URL, headers: Record<string, string>, body: Buffer): Promise<Outcome> {
    try {
      const { lookup } = await admit(guard, url.hostname, portOf(url));
      const response = await sendRequest({ url, headers, body, timeoutMs: sendTimeoutMs, lookup });
      const isGone = goneStatuses.includes(response.status);
      return isGone
        ? { state: 'gone', failure: say('status', { status: response.status }) }
        : toOutcome(response);
    } catch (error) {
      return toFailedOutcome(error);
    }
  }

  return {
    options: webPushOptions,
    secrets: [],
    // Browsers fetch pictures themselves.
    media: () => ({}),
    check: () => [],
    addressOf: () => '',
    targets: listSubscriptionIds,
    async send({ message, target, ttlSeconds }) {
      const subscription = await findSubscription(prisma, target);
      if (!subscription) return { state: 'gone', failure: say('unsubscribed') };
      const { endpoint } = subscription;
      const request = await toRequest(subscription, message, ttlSeconds);
      // A failure of the hub does not count against the subscription.
      if (!request?.body) return { state: 'failed', failure: say('push_keys') };
      const outcome = await push(new URL(endpoint), request.headers, request.body);
      const isTaken = outcome.state === 'sent';
      if (outcome.state === 'gone') await removeSubscription(prisma, { endpoint });
      else if (await recordOutcome(prisma, { endpoint, isTaken, at: clock.now() })) {
        const { failure } = outcome;
        log.info(
          { error: failure && toEnglish(failure) },
          'push subscription removed after too many failures',
        );
        return { state: 'gone', failure };
      }
      return outcome;
    },
  };
}

/** Returns the keys of the settings. They are created on first use and kept, as all subscriptions are bound to them. */
export async function readVapidKeys(deps: VapidDeps): Promise<VapidKeys> {
  const stored = keysOf(await deps.settings.current());
  if (stored) return stored;
  try {
    return await createKeys(deps);
  } catch (error) {
    if (!(error instanceof HubError) || error.code !== 'conflict') throw error;
    return readVapidKeys(deps);
  }
}

/** Requires unchanged settings, so that only one of several processes creates the keys. */
async function createKeys({ settings, settingsWriter }: VapidDeps): Promise<VapidKeys> {
  const { version } = await settingsWriter.read();
  settings.forget();
  const made = keysOf(await settings.current());
  if (made) return made;
  const { generateVAPIDKeys } = (await import('web-push')).default;
  const keys = generateVAPIDKeys();
  const web_push = { vapid_public_key: keys.publicKey, vapid_private_key: keys.privateKey };
  await settingsWriter.change({ web_push }, { role: 'hub', ifVersions: [version] });
  settings.forget();
  return keys;
}

function keysOf({ web_push }: Settings): VapidKeys | undefined {
  const { vapid_public_key: publicKey, vapid_private_key: privateKey } = web_push;
  return publicKey && privateKey ? { publicKey, privateKey } : undefined;
}
