import type { SettingsReader } from '@birdhub/domain/settings';
import { createLoop, type Loop } from '@birdhub/shared/async';
import type { PrismaClient } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type Channel, type ChannelName, type Channels, channelNames, type Outcome } from './channels.js';
import { withoutForeignLinks } from './message.js';
import {
  claimDelivery,
  type Delivery,
  expireDeliveries,
  type Settlement,
  settleDelivery,
} from './notifications.store.js';

/** Delivers queued notifications. */
export interface DeliveryQueues {
  /** Looks for deliveries now. */
  wake(): void;
  /** Claims no more deliveries and resolves when those in flight are settled. */
  close(): Promise<void>;
}

/** What deliveries need. */
export interface DeliveryQueueDeps {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly basePath: string;
}

/** Deliveries in flight at once, per channel. */
const maxInFlight = 8;
/** Another process may have left deliveries, or the database may be back. */
const maxPollIntervalMs = 10_000;
const firstRetryDelayMs = 5_000;
const maxRetryDelayMs = 5 * 60_000;
const retryDelayFactor = 3;

/**
 * Starts to make the deliveries stored in the database, with a queue per channel so that they do not wait for each
 * other. Each delivery is made by one process and at most once: when a process is killed between claim and settlement,
 * the delivery may have arrived and is not repeated.
 */
export function startDeliveryQueues({
  channels,
  ...deps
}: DeliveryQueueDeps & { readonly channels: Channels }): DeliveryQueues {
  const queues = channelNames.map((name) => new DeliveryQueue(name, channels[name], deps));
  return {
    wake() {
      for (const queue of queues) queue.wake();
    },
    async close() {
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
}

/** Makes the deliveries of one channel. */
class DeliveryQueue {
  readonly #name: ChannelName;
  readonly #channel: Channel;
  readonly #deps: DeliveryQueueDeps;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #loop: Loop;

  constructor(name: ChannelName, channel: Channel, deps: DeliveryQueueDeps) {
    this.#name = name;
    this.#channel = channel;
    this.#deps = deps;
    this.#loop = createLoop({
      work: (signal) => this.#deliverDue(signal),
      everyMs: maxPollIntervalMs,
      onError: (error) => this.#logFailure(error),
    });
    this.#loop.start();
  }

  wake(): void {
    this.#loop.wake();
  }

  async close(): Promise<void> {
    await this.#loop.stop();
    await Promise.all(this.#inFlight);
  }

  /** Claims deliveries up to the limit and returns ms until the next look. Each that ends wakes the loop. */
  async #deliverDue(signal: AbortSignal): Promise<number> {
    const { pool, clock } = this.#deps;
    while (this.#inFlight.size < maxInFlight && !signal.aborted) {
      const delivery = await claimDelivery(pool, this.#name, clock.now());
      if (!delivery) break;
      this.#start(delivery);
    }
    if (this.#inFlight.size > 0) return maxPollIntervalMs;
    const now = clock.now();
    const next = (await expireDeliveries(pool, this.#name, now)) ?? Number.POSITIVE_INFINITY;
    return Math.min(Math.max(next - now, 0) + 1, maxPollIntervalMs);
  }

  #start(delivery: Delivery): void {
    const delivering = this.#deliver(delivery)
      .finally(() => this.#inFlight.delete(delivering))
      .then(
        () => this.wake(),
        (error) => this.#logFailure(error),
      );
    this.#inFlight.add(delivering);
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const { prisma, clock, log } = this.#deps;
    const outcome = await this.#attempt(delivery);
    const settlement = toSettlement(outcome, delivery, clock.now());
    await settleDelivery(prisma, delivery.id, settlement);
    if (settlement.state !== 'failed') return;
    const { id, attempts } = delivery;
    const { error } = settlement;
    log.warn({ delivery_id: id, channel: this.#name, attempts, error }, 'notification not delivered');
  }

  async #attempt({ target, message, expiresAt }: Delivery): Promise<Outcome> {
    const { clock, settings, basePath, log } = this.#deps;
    const ttlSeconds = Math.floor((expiresAt - clock.now()) / 1_000);
    if (ttlSeconds <= 0) return { state: 'failed', error: 'too old by now' };
    try {
      const { notifications } = await settings.current();
      const base = { baseUrl: notifications.base_url, basePath };
      return await this.#channel.send(withoutForeignLinks(message, base), target, ttlSeconds);
    } catch (error) {
      log.error({ err: error, channel: this.#name }, 'notification not sent');
      return { state: 'failed', error: 'internal error' };
    }
  }

  #logFailure(error: unknown): void {
    this.#deps.log.warn({ err: error }, 'deliveries not read or settled, retrying');
  }
}

function toSettlement(outcome: Outcome, { attempts, expiresAt }: Delivery, now: number): Settlement {
  const { state, error, retryAfter } = outcome;
  if (state !== 'retry') return { state, error, nextAttemptAt: now };
  const nextAttemptAt = retryTime({ attempts, retryAfter, expiresAt }, now);
  if (nextAttemptAt === undefined) return { state: 'failed', error, nextAttemptAt: now };
  return { state: 'pending', error, nextAttemptAt };
}

/** An attempt that may be repeated. */
export interface FailedAttempt {
  /** Attempts so far, this one included. */
  readonly attempts: number;
  readonly retryAfter?: string | undefined;
  /** When the message expires, ms since the epoch. */
  readonly expiresAt: number;
}

/** Returns when to try again, ms since the epoch; undefined when the message has expired by then. */
export function retryTime(
  { attempts, retryAfter, expiresAt }: FailedAttempt,
  now: number,
): number | undefined {
  const delayMs = Math.min(firstRetryDelayMs * retryDelayFactor ** (attempts - 1), maxRetryDelayMs);
  const requestedMs = retryAfter === undefined ? undefined : parseRetryAfter(retryAfter, now);
  const at = now + (requestedMs ?? delayMs);
  return at < expiresAt ? at : undefined;
}

/** Returns the milliseconds of a `Retry-After` header (RFC 9110, 10.2.3); undefined when it has neither form. */
function parseRetryAfter(text: string, now: number): number | undefined {
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
