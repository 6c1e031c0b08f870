import type { PrismaClient } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import type { Logger } from 'pino';
import { type Channel, type Message, type Outcome, sendTimeoutMs } from '../notifications/channel.js';
import { judgeAnswer, judgeFailure } from '../notifications/judge-answer.js';
import type { OutgoingGuard } from '../outgoing/outgoing-guard.js';
import { sendRequest } from '../outgoing/send-request.js';
import type { Subscription } from './check-subscription.js';
import {
  findSubscription,
  listSubscriptionIds,
  noteOutcome,
  removeSubscription,
} from './subscriptions.store.js';
import { readVapidKeys, type VapidParts } from './vapid-keys.js';

/** What messages are pushed to browsers with. */
export interface WebPushParts extends VapidParts {
  readonly prisma: PrismaClient;
  readonly clock: Clock;
  readonly guard: OutgoingGuard;
  readonly log: Logger;
}

const goneStatuses: readonly number[] = [404, 410];
/** Push services take 4,096 bytes, of which encryption takes 103. */
const mostPayloadBytes = 3_900;
/** Whom a push service may write to about a hub without an address of its own; RFC 8292 asks for one. */
const anonymousSubject = 'mailto:birdhub@birdhub.example';

/** The payload of a message; pictures with long addresses are left out before it is too long. */
export function toPayload({ title, body, tag, url, visitId, icon, image }: Message): string {
  const words = { title, body, tag, url, visit_id: visitId };
  const pictures = { ...(icon && { icon }), ...(image && { image }) };
  const whole = JSON.stringify({ ...words, ...pictures });
  return Buffer.byteLength(whole) <= mostPayloadBytes ? whole : JSON.stringify(words);
}

/** Encrypts messages for each browser (RFC 8291) and hands them to its push service. */
export function createWebPushChannel(parts: WebPushParts): Channel {
  const { prisma, guard, clock, log, settings } = parts;

  async function toRequest({ endpoint, p256dh, auth }: Subscription, message: Message, ttlSeconds: number) {
    const { base_url } = (await settings.current()).notifications;
    const subject = base_url.startsWith('https://') ? base_url : anonymousSubject;
    const vapidDetails = { subject, ...(await readVapidKeys(parts)) };
    const { generateRequestDetails } = (await import('web-push')).default;
    const options = { vapidDetails, TTL: ttlSeconds };
    const payload = toPayload(message);
    try {
      return generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, options);
    } catch (error) {
      log.warn({ err: error }, 'a message could not be encrypted for web push');
      return undefined;
    }
  }

  async function push(url: URL, headers: Record<string, string>, body: Buffer): Promise<Outcome> {
    try {
      await guard.check(url);
      const { lookup } = guard;
      const answer = await sendRequest({ url, headers, body, timeoutMs: sendTimeoutMs, lookup });
      const isGone = goneStatuses.includes(answer.status);
      return isGone ? { state: 'gone', error: `answered ${answer.status}` } : judgeAnswer(answer);
    } catch (error) {
      return judgeFailure(error);
    }
  }

  return {
    targets: async ({ web_push }, client) => (web_push.enabled ? listSubscriptionIds(client) : []),
    async send(message, target, ttlSeconds) {
      const subscription = await findSubscription(prisma, target);
      if (!subscription) return { state: 'gone', error: 'unsubscribed' };
      const { endpoint } = subscription;
      const request = await toRequest(subscription, message, ttlSeconds);
      // The fault is the hub's, and says nothing of the subscription.
      if (!request?.body) return { state: 'failed', error: 'the keys of web push are not usable' };
      const outcome = await push(new URL(endpoint), request.headers, request.body);
      const isTaken = outcome.state === 'sent';
      if (outcome.state === 'gone') await removeSubscription(prisma, endpoint);
      else if (await noteOutcome(prisma, { endpoint, isTaken, at: clock.now() })) {
        log.info({ error: outcome.error }, 'a subscription that failed too often was removed');
        return { state: 'gone', error: outcome.error };
      }
      return outcome;
    },
  };
}
