import type { SettingsReader } from '@birdhub/domain/settings';
import { createLoop } from '@birdhub/shared/async';
import type { PrismaClient } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type Channel, type ChannelName, type Channels, channelNames, type Outcome } from './channel.js';
import {
  claimDelivery,
  type Delivery,
  type Settlement,
  settleDelivery,
  tidyDeliveries,
} from './deliveries.store.js';
import { retryTime } from './retry-time.js';
import { keepInHub } from './write-message.js';

/** Hands messages over to the services that bring them to people. */
export interface Deliverer {
  /** Says that there is something to hand over. */
  wake(): void;
  /** Takes no more in hand and resolves when what is in hand is settled. */
  close(): Promise<void>;
}

/** What messages are handed over with. */
export interface DelivererParts {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly basePath: string;
}

/** By one channel. */
const maxAtOnce = 8;
/** Another process may have left something, or a database that was away is back. */
const maxDelayMs = 10_000;

function settle(outcome: Outcome, { attempts, expiresAt }: Delivery, now: number): Settlement {
  const { state, error, retryAfter } = outcome;
  if (state !== 'retry') return { state, error, nextAttemptAt: now };
  const nextAttemptAt = retryTime({ attempts, retryAfter, expiresAt }, now);
  if (nextAttemptAt === undefined) return { state: 'failed', error, nextAttemptAt: now };
  return { state: 'pending', error, nextAttemptAt };
}

/** Makes the deliveries of one channel. */
function openLane(name: ChannelName, channel: Channel, parts: DelivererParts): Deliverer {
  const { pool, prisma, settings, clock, log, basePath } = parts;
  const inHand = new Set<Promise<void>>();

  async function attempt({ target, message, expiresAt }: Delivery): Promise<Outcome> {
    const ttlSeconds = Math.floor((expiresAt - clock.now()) / 1_000);
    if (ttlSeconds <= 0) return { state: 'failed', error: 'too old by now' };
    try {
      const { notifications } = await settings.current();
      const place = { baseUrl: notifications.base_url, basePath };
      return await channel.send(keepInHub(message, place), target, ttlSeconds);
    } catch (error) {
      log.error({ err: error, channel: name }, 'message not sent');
      return { state: 'failed', error: 'went wrong inside the hub' };
    }
  }

  async function deliver(delivery: Delivery): Promise<void> {
    const outcome = await attempt(delivery);
    const settlement = settle(outcome, delivery, clock.now());
    await settleDelivery(prisma, delivery.id, settlement);
    const { id, attempts } = delivery;
    const { state, error } = settlement;
    if (state === 'failed') log.warn({ delivery_id: id, channel: name, attempts, error }, 'message given up');
  }

  function logFailure(error: unknown): void {
    log.warn({ err: error }, 'deliveries not read or settled, trying on');
  }

  function begin(delivery: Delivery): void {
    const delivering = deliver(delivery)
      .finally(() => inHand.delete(delivering))
      .then(() => loop.wake(), logFailure);
    inHand.add(delivering);
  }

  /** Takes deliveries in hand until enough are; each that ends wakes the loop for the next one. */
  async function work(signal: AbortSignal): Promise<number> {
    while (inHand.size < maxAtOnce && !signal.aborted) {
      const delivery = await claimDelivery(pool, name, clock.now());
      if (!delivery) break;
      begin(delivery);
    }
    if (inHand.size > 0) return maxDelayMs;
    const now = clock.now();
    const next = (await tidyDeliveries(pool, name, now)) ?? Number.POSITIVE_INFINITY;
    return Math.min(Math.max(next - now, 0) + 1, maxDelayMs);
  }

  const loop = createLoop({ work, everyMs: maxDelayMs, onError: logFailure });
  loop.start();
  return {
    wake: () => loop.wake(),
    async close() {
      await loop.stop();
      await Promise.all(inHand);
    },
  };
}

/**
 * Makes the deliveries of the database, each in one process and, once a service may have it, once. A process that is
 * killed between the claim of a delivery and its settlement leaves one that may or may not have arrived: it is not
 * made again. Channels do not wait for each other.
 */
export function openDeliverer({ channels, ...parts }: DelivererParts & { channels: Channels }): Deliverer {
  const lanes = channelNames.map((name) => openLane(name, channels[name], parts));
  return {
    wake() {
      for (const lane of lanes) lane.wake();
    },
    async close() {
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}
