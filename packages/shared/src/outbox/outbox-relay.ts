import type pg from 'pg';
import type { Logger } from 'pino';
import type { Bus } from '../bus/index.js';
import { type Drain, drainBatch } from './drain-batch.js';
import { countWaiting, nameDatabase } from './outbox.store.js';
import { createPause } from './pause.js';

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

type Pass = 'done' | 'elsewhere' | 'failed';

const spacingMs = 20;
const otherRelayMs = 200;
const shortestBackoffMs = 250;
const longestBackoffMs = 5_000;
const failuresBeforeWarning = 3;
const mostBlockedKeys = 8;

/** Any number of relays may work on one database; one of them drains at a time. */
export function createOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  const { pool, bus, log, pollMs = 2_000, batch = 256 } = options;
  const pause = createPause();
  let isWoken = false;
  let isIdle = false;
  let isStopping = false;
  let waiting = 0;
  let failures = 0;
  let reason: Error | undefined;
  let databaseName: string | undefined;
  let running: Promise<void> | undefined;
  let stopListening = () => {};

  async function drainAll(drain: Drain): Promise<Pass> {
    const blockedKeys: string[] = [];
    while (!isStopping) {
      const outcome = await drainBatch(drain, blockedKeys);
      if (outcome.kind === 'elsewhere') return 'elsewhere';
      for (const { row, error } of outcome.failed) {
        blockedKeys.push(row.orderingKey);
        reason = error;
      }
      if (!outcome.isFull || blockedKeys.length >= mostBlockedKeys) break;
      waiting = await countWaiting(pool);
    }
    return blockedKeys.length ? 'failed' : 'done';
  }

  async function pass(): Promise<Pass> {
    if (bus.status() === 'error') {
      waiting = await countWaiting(pool);
      reason = new Error('the broker is not reachable');
      return waiting ? 'failed' : 'done';
    }
    databaseName ??= await nameDatabase(pool);
    const result = await drainAll({ pool, bus, log, databaseName, batch });
    waiting = result === 'done' ? 0 : await countWaiting(pool);
    return result;
  }

  async function attempt(): Promise<Pass> {
    isWoken = false;
    try {
      return await pass();
    } catch (error) {
      reason = error instanceof Error ? error : new Error(String(error));
      return 'failed';
    }
  }

  function note(result: Pass): void {
    if (result === 'failed') {
      failures += 1;
      if (failures === failuresBeforeWarning)
        log.warn({ err: reason, waiting }, 'outbox cannot publish, waiting');
      return;
    }
    if (failures >= failuresBeforeWarning) log.info({ waiting }, 'outbox publishes again');
    failures = 0;
  }

  async function rest(result: Pass): Promise<void> {
    if (result === 'failed')
      return pause.wait(Math.min(shortestBackoffMs * 2 ** (failures - 1), longestBackoffMs));
    if (result === 'elsewhere') return pause.wait(Math.min(otherRelayMs, pollMs));
    // Under steady writing rows go out in batches, not one by one.
    await pause.wait(spacingMs);
    isIdle = true;
    if (!isWoken && !isStopping) await pause.wait(pollMs);
    isIdle = false;
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      const result = await attempt();
      note(result);
      if (!isStopping) await rest(result);
    }
  }

  return {
    pending: () => waiting,
    wake() {
      isWoken = true;
      // Wakes must not shorten the pauses of an outage, nor hammer on the lock while another relay drains.
      if (isIdle) pause.end();
    },
    start() {
      stopListening = bus.onStatus((status) => status === 'ok' && pause.end());
      running ??= run();
    },
    async stop() {
      isStopping = true;
      stopListening();
      pause.end();
      await running;
    },
  };
}
