import type { SettingsReader } from '@birdhub/domain/settings';
import { createLoop, type Loop } from '@birdhub/shared/async';
import type { PrismaClient } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Outcome } from './channel.js';
import type { ChannelKinds } from './channel-kinds.js';
import type { ChannelStore, StoredChannel } from './channels.store.js';
import {
  claimDelivery,
  type Delivery,
  findAttachments,
  listDueChannels,
  type Settlement,
  settleDelivery,
} from './deliveries.store.js';
import { say, toEnglish } from './delivery-failures.js';
import { withoutForeignLinks } from './hub-links.js';
import { loadMessageMedia } from './message-media.js';

/** Dependencies of {@link DeliveryQueue}. */
export interface DeliveryQueueDeps {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly store: Pick<ChannelStore, 'find' | 'noteResult'>;
  readonly kinds: ChannelKinds;
  readonly clock: Clock;
  readonly log: Logger;
  readonly basePath: string;
  readonly dataDir: string;
  readonly recordingsDir: string;
}

/** Maximum deliveries in flight per channel; fewer with clips, which are held in memory. */
const maxInFlight = 8;
const maxInFlightWithClips = 2;
/** Polls, as another process may have left deliveries, or the database may be available again. */
const maxPollIntervalMs = 10_000;
const firstRetryDelayMs = 5_000;
const maxRetryDelayMs = 5 * 60_000;
const retryDelayFactor = 3;
/** Shorter values of `Retry-After` are replaced by the regular back-off. */
const minRequestedDelayMs = 1_000;
/** How long a message waits for the picture of its bird, and the polling interval. */
const maxPictureWaitMs = 15_000;
const pictureIntervalMs = 1_000;

type Result = Outcome | 'postponed';

/**
 * Sends the deliveries stored in the database, independently for each channel. Each delivery is sent at most once: when
 * a process is killed between claim and settlement, the delivery may have arrived and is not repeated.
 */
export class DeliveryQueue {
  readonly #deps: DeliveryQueueDeps;
  readonly #inFlight = new Map<number, Set<Promise<void>>>();
  readonly #loop: Loop;

  constructor(deps: DeliveryQueueDeps) {
    this.#deps = deps;
    this.#loop = createLoop({
      work: (signal) => this.#deliverDue(signal),
      everyMs: maxPollIntervalMs,
      onError: (error) => this.#logFailure(error),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Checks for deliveries now. */
  wake(): void {
    this.#loop.wake();
  }

  /** Stops claiming deliveries and resolves when those in flight are settled. */
  async close(): Promise<void> {
    await this.#loop.stop();
    await Promise.all([...this.#inFlight.values()].flatMap((running) => [...running]));
  }

  /**
   * Claims deliveries up to the limits and returns ms until the next check. The end of each delivery wakes the loop.
   */
  async #deliverDue(signal: AbortSignal): Promise<number> {
    const { pool, clock } = this.#deps;
    const due = await listDueChannels(pool, clock.now());
    const waits = await Promise.all(
      due.map(async ({ channelId, at }) => {
        const wait = at - clock.now();
        if (wait > 0) return wait + 1;
        await this.#startDeliveries(channelId, signal);
        return this.#deliveriesInFlight(channelId).size ? maxPollIntervalMs : 1_000;
      }),
    );
    return Math.min(...waits, maxPollIntervalMs);
  }

  #deliveriesInFlight(channelId: number): Set<Promise<void>> {
    const running = this.#inFlight.get(channelId) ?? new Set();
    this.#inFlight.set(channelId, running);
    return running;
  }

  async #startDeliveries(channelId: number, signal: AbortSignal): Promise<void> {
    const { pool, clock, store } = this.#deps;
    const channel = await store.find(channelId);
    if (!channel) return;
    const running = this.#deliveriesInFlight(channelId);
    const max = this.#mediaOf(channel).maxClipBytes ? maxInFlightWithClips : maxInFlight;
    while (running.size < max && !signal.aborted) {
      const delivery = await claimDelivery(pool, channelId, clock.now());
      if (!delivery) return;
      const delivering = this.#deliver(delivery, channel)
        .finally(() => running.delete(delivering))
        .then(
          () => this.wake(),
          (error) => this.#logFailure(error),
        );
      running.add(delivering);
    }
  }

  #mediaOf({ kind, options }: StoredChannel) {
    return this.#deps.kinds[kind].media(options);
  }

  async #deliver(delivery: Delivery, channel: StoredChannel): Promise<void> {
    const { prisma, store, clock, log } = this.#deps;
    const result = await this.#attempt(delivery, channel);
    const settlement = toSettlement(result, delivery, clock.now());
    await settleDelivery(prisma, delivery.id, settlement);
    const { state, failure } = settlement;
    if (result === 'postponed' || state === 'gone') return;
    await store.noteResult(channel.id, state === 'sent' ? null : failure, clock.now());
    if (state !== 'failed') return;
    const { id, attempts } = delivery;
    const error = failure && toEnglish(failure);
    log.warn({ delivery_id: id, channel: channel.kind, attempts, error }, 'notification not delivered');
  }

  async #attempt(delivery: Delivery, channel: StoredChannel): Promise<Result> {
    const { prisma, clock, settings, basePath, log, kinds } = this.#deps;
    const ttlSeconds = Math.floor((delivery.expiresAt - clock.now()) / 1_000);
    if (ttlSeconds <= 0) return { state: 'failed', failure: say('too_old') };
    if (!channel.enabled) return { state: 'failed', failure: say('paused') };
    if (channel.hasLostSecrets) return { state: 'failed', failure: say('secrets_lost') };
    try {
      const { notifications } = await settings.current();
      const base = { baseUrl: notifications.base_url, basePath };
      const message = withoutForeignLinks(delivery.message, base);
      const wanted = this.#mediaOf(channel);
      const media = await loadMessageMedia(this.#deps, message, wanted);
      if (media.isPending && clock.now() - delivery.createdAt < maxPictureWaitMs) return 'postponed';
      const attachments = wanted.maxAttachmentBytes
        ? await findAttachments(prisma, delivery.notificationId)
        : [];
      const { target } = delivery;
      const { options, secrets } = channel;
      const { picture, clip } = media;
      const shipment = { message, target, ttlSeconds, options, secrets, picture, clip, attachments };
      return await kinds[channel.kind].send(shipment);
    } catch (error) {
      log.error({ err: error, channel: channel.kind }, 'notification not sent');
      return { state: 'failed', failure: say('internal') };
    }
  }

  #logFailure(error: unknown): void {
    this.#deps.log.warn({ err: error }, 'deliveries not claimed or settled, retrying');
  }
}

function toSettlement(result: Result, { attempts, expiresAt }: Delivery, now: number): Settlement {
  if (result === 'postponed')
    return { state: 'pending', failure: null, nextAttemptAt: now + pictureIntervalMs, isPostponed: true };
  const { state, failure, retryAfter } = result;
  if (state !== 'retry') return { state, failure, nextAttemptAt: now };
  const nextAttemptAt = retryTime({ attempts, retryAfter, expiresAt }, now);
  if (nextAttemptAt === undefined) return { state: 'failed', failure, nextAttemptAt: now };
  return { state: 'pending', failure, nextAttemptAt };
}

/** An attempt that may be repeated. */
export interface FailedAttempt {
  /** Attempts so far, including this one. */
  readonly attempts: number;
  readonly retryAfter?: string | undefined;
  /** When the message expires, ms since the epoch. */
  readonly expiresAt: number;
}

/** Returns the time of the next attempt, ms since the epoch; undefined when the message will have expired. */
export function retryTime(
  { attempts, retryAfter, expiresAt }: FailedAttempt,
  now: number,
): number | undefined {
  const delayMs = Math.min(firstRetryDelayMs * retryDelayFactor ** (attempts - 1), maxRetryDelayMs);
  const requestedMs = (retryAfter === undefined ? undefined : parseRetryAfter(retryAfter, now)) ?? 0;
  const at = now + (requestedMs < minRequestedDelayMs ? delayMs : requestedMs);
  return at < expiresAt ? at : undefined;
}

/** Parses a `Retry-After` header (RFC 9110, 10.2.3) to milliseconds; undefined when it is invalid. */
function parseRetryAfter(text: string, now: number): number | undefined {
  if (/^\d{1,9}(?:\.\d{1,6})?$/.test(text.trim())) return Math.ceil(Number(text) * 1_000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
