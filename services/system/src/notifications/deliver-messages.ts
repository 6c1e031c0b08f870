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
  readonly clock: Clock;
  readonly log: Logger;
}

/** By one channel. */
const mostAtOnce = 8;
/** Another process may have left something, or a database that was away is back. */
const longestPauseMs = 10_000;

function settle(outcome: Outcome, { attempts, expiresAt }: Delivery, now: number): Settlement {
  const { state, error, retryAfter } = outcome;
  if (state !== 'retry') return { state, error, nextAttemptAt: now };
  const nextAttemptAt = retryTime({ attempts, retryAfter, expiresAt }, now);
  if (nextAttemptAt === undefined) return { state: 'failed', error, nextAttemptAt: now };
  return { state: 'pending', error, nextAttemptAt };
}

/** Makes the deliveries of one channel. */
function openLane(name: ChannelName, channel: Channel, { pool, clock, log }: DelivererParts): Deliverer {
  const working = new Set<Promise<void>>();
  let active = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function attempt({ target, message, expiresAt }: Delivery): Promise<Outcome> {
    const ttlSeconds = Math.floor((expiresAt - clock.now()) / 1_000);
    if (ttlSeconds <= 0) return { state: 'failed', error: 'too old by now' };
    try {
      return await channel.send(message, target, ttlSeconds);
    } catch (error) {
      log.error({ err: error, channel: name }, 'message not sent');
      return { state: 'failed', error: 'went wrong inside the hub' };
    }
  }

  async function deliverNext(): Promise<boolean> {
    const delivery = isClosed ? undefined : await claimDelivery(pool, name, clock.now());
    if (!delivery) return false;
    wake();
    const outcome = await attempt(delivery);
    const settlement = settle(outcome, delivery, clock.now());
    await settleDelivery(pool, delivery.id, settlement);
    const { id, attempts } = delivery;
    const { state, error } = settlement;
    if (state === 'failed') log.warn({ delivery_id: id, channel: name, attempts, error }, 'message given up');
    return true;
  }

  async function lookLater(): Promise<void> {
    const now = clock.now();
    const next = (await tidyDeliveries(pool, name, now)) ?? Number.POSITIVE_INFINITY;
    if (isClosed) return;
    clearTimeout(timer);
    timer = setTimeout(wake, Math.min(Math.max(next - now, 0) + 1, longestPauseMs)).unref();
  }

  async function work(): Promise<void> {
    active += 1;
    try {
      while (await deliverNext());
    } finally {
      active -= 1;
    }
    if (active === 0) await lookLater();
  }

  function tryLater(error: unknown): void {
    log.warn({ err: error }, 'deliveries not read or settled, trying on');
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(wake, longestPauseMs).unref();
  }

  function wake(): void {
    if (isClosed || active >= mostAtOnce) return;
    const inHand = work()
      .catch(tryLater)
      .finally(() => void working.delete(inHand));
    working.add(inHand);
  }

  wake();
  return {
    wake,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await Promise.all(working);
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
