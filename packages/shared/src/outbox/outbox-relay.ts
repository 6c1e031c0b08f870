import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { createLoop } from '../async/index.js';
import type { Bus } from '../bus/index.js';
import { type Drain, drainBatch } from './drain-batch.js';
import { countWaiting, nameDatabase } from './outbox.store.js';

/** Brings what was committed to the broker. */
export interface OutboxRelay {
  /** Something was committed; publish it soon. */
  wake(): void;
  start(): void;
  /** Resolves when the batch in hand is done. */
  stop(): Promise<void>;
  /** Rows that wait as last seen, counted up to 10,000. */
  pending(): number;
}

/** What a relay works with. */
export interface OutboxRelayOptions {
  readonly pool: pg.Pool;
  readonly bus: Pick<Bus, 'publish' | 'status' | 'onStatus'>;
  readonly log: Logger;
  /** Longest time without a look, should nobody wake it. */
  readonly pollMs?: number;
  readonly batch?: number;
}

const spacingMs = 20;
const otherRelayMs = 200;
const retryMs = 250;
const maxRetryMs = 5_000;
const failuresBeforeWarning = 3;
const maxBlockedKeys = 8;

/** Any number of relays may work on one database; one of them drains at a time. */
export function createOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  const { pool, bus, log, pollMs = 2_000, batch = 256 } = options;
  let isWoken = false;
  let isIdle = false;
  let isWarned = false;
  let waiting = 0;
  let databaseName: string | undefined;
  let stopListening = () => {};

  /** Returns why rows are left that could not be published. */
  async function drainAll(drain: Drain, signal: AbortSignal): Promise<'done' | 'elsewhere' | Error> {
    const blockedKeys: string[] = [];
    let failure: Error | undefined;
    while (!signal.aborted) {
      const outcome = await drainBatch(drain, blockedKeys);
      if (outcome.kind === 'elsewhere') return 'elsewhere';
      for (const { row, error } of outcome.failed) {
        blockedKeys.push(row.orderingKey);
        failure = error;
      }
      if (!outcome.isFull || blockedKeys.length >= maxBlockedKeys) break;
      waiting = await countWaiting(pool);
    }
    return failure ?? 'done';
  }

  async function publishWaiting(signal: AbortSignal): Promise<'done' | 'elsewhere'> {
    if (bus.status() === 'error') {
      waiting = await countWaiting(pool);
      if (waiting) throw new Error('the broker is not reachable');
      return 'done';
    }
    databaseName ??= await nameDatabase(pool);
    const result = await drainAll({ pool, bus, log, databaseName, batch }, signal);
    waiting = result === 'done' ? 0 : await countWaiting(pool);
    if (result instanceof Error) throw result;
    return result;
  }

  async function work(signal: AbortSignal): Promise<number> {
    isIdle = false;
    isWoken = false;
    const result = await publishWaiting(signal);
    if (isWarned) log.info({ waiting }, 'outbox publishes again');
    isWarned = false;
    if (result === 'elsewhere') return Math.min(otherRelayMs, pollMs);
    // Under steady writing rows go out in batches, not one by one.
    await pause(spacingMs, undefined, { signal });
    if (isWoken) return 0;
    isIdle = true;
    return pollMs;
  }

  const loop = createLoop({
    work,
    everyMs: pollMs,
    retryMs,
    maxRetryMs,
    onError(error, failures) {
      if (failures !== failuresBeforeWarning) return;
      log.warn({ err: error, waiting }, 'outbox cannot publish, waiting');
      isWarned = true;
    },
  });

  return {
    pending: () => waiting,
    wake() {
      isWoken = true;
      // Wakes must not shorten the pauses of an outage, nor hammer on the lock while another relay drains.
      if (isIdle) loop.wake();
    },
    start() {
      stopListening = bus.onStatus((status) => status === 'ok' && loop.wake());
      loop.start();
    },
    stop() {
      stopListening();
      return loop.stop();
    },
  };
}
