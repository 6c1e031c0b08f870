import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { createLoop, type Loop } from '../async/index.js';
import type { Bus } from '../bus/index.js';
import { inTransaction } from '../db/index.js';
import { type EventMap, InvalidEventError, type Subject } from '../events/index.js';
import {
  countWaiting,
  deleteRows,
  listWaiting,
  lockOutbox,
  nameDatabase,
  noteFailures,
  recordDeadLetter,
  type WaitingRow,
} from './outbox.store.js';

/** Dependencies of a relay. */
export interface OutboxRelayDeps {
  readonly pool: pg.Pool;
  readonly bus: Pick<Bus, 'publish' | 'status' | 'onStatus'>;
  readonly log: Logger;
  /** Polling interval when the relay is not woken. */
  readonly pollMs?: number;
  /** Maximum rows per transaction. */
  readonly batch?: number;
}

const spacingMs = 20;
const otherRelayMs = 200;
const retryMs = 250;
const maxRetryMs = 5_000;
const failuresBeforeWarning = 3;
const maxBlockedKeys = 8;

/** If a crash undoes the deletion, the event is published again, which is cheaper than waiting for the disk. */
const begin = 'BEGIN; SET LOCAL synchronous_commit = off';

type BatchResult =
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'published'; readonly isFull: boolean; readonly failed: readonly FailedRow[] };

/** Publishes committed events. Any number of relays may run on one database; only one publishes at a time. */
class OutboxRelay {
  readonly #deps: Required<OutboxRelayDeps>;
  readonly #loop: Loop;
  #isWoken = false;
  #isIdle = false;
  #isWarned = false;
  #waiting = 0;
  #databaseName: string | undefined;
  #stopListening = () => {};

  constructor({ pollMs = 2_000, batch = 256, ...deps }: OutboxRelayDeps) {
    this.#deps = { pollMs, batch, ...deps };
    this.#loop = createLoop({
      work: (signal) => this.#work(signal),
      everyMs: pollMs,
      retryMs,
      maxRetryMs,
      onError: (error, failures) => this.#warn(error, failures),
    });
  }

  start(): void {
    this.#stopListening = this.#deps.bus.onStatus((status) => status === 'ok' && this.#loop.wake());
    this.#loop.start();
  }

  /** Triggers publishing, after a commit. */
  wake(): void {
    this.#isWoken = true;
    // A wake must neither shorten the pauses of an outage nor poll the lock while another relay publishes.
    if (this.#isIdle) this.#loop.wake();
  }

  /** Stops the relay; resolves when the current batch is done. */
  stop(): Promise<void> {
    this.#stopListening();
    return this.#loop.stop();
  }

  /** Returns the last count of unpublished rows, up to 10,000. */
  pending(): number {
    return this.#waiting;
  }

  /** One pass of the loop; returns the delay until the next one. */
  async #work(signal: AbortSignal): Promise<number> {
    const { log, pollMs } = this.#deps;
    this.#isIdle = false;
    this.#isWoken = false;
    const result = await this.#publishWaiting(signal);
    if (this.#isWarned) log.info({ waiting: this.#waiting }, 'outbox is publishing again');
    this.#isWarned = false;
    if (result === 'elsewhere') return Math.min(otherRelayMs, pollMs);
    // Under continuous writes, rows are published in batches instead of individually.
    await pause(spacingMs, undefined, { signal });
    if (this.#isWoken) return 0;
    this.#isIdle = true;
    return pollMs;
  }

  #warn(error: unknown, failures: number): void {
    if (failures !== failuresBeforeWarning) return;
    this.#deps.log.warn({ err: error, waiting: this.#waiting }, 'outbox cannot publish, retrying');
    this.#isWarned = true;
  }

  async #publishWaiting(signal: AbortSignal): Promise<'done' | 'elsewhere'> {
    const { pool, bus } = this.#deps;
    if (bus.status() === 'error') {
      this.#waiting = await countWaiting(pool);
      if (this.#waiting) throw new Error('the broker is not reachable');
      return 'done';
    }
    const result = await this.#publishBatches(signal);
    this.#waiting = result === 'done' ? 0 : await countWaiting(pool);
    if (result instanceof Error) throw result;
    return result;
  }

  /** Publishes all waiting rows in batches; returns the error of rows that could not be published. */
  async #publishBatches(signal: AbortSignal): Promise<'done' | 'elsewhere' | Error> {
    const blockedKeys: string[] = [];
    let failure: Error | undefined;
    while (!signal.aborted) {
      const result = await this.#publishBatch(blockedKeys);
      if (result.kind === 'elsewhere') return 'elsewhere';
      for (const { row, error } of result.failed) {
        blockedKeys.push(row.orderingKey);
        failure = error;
      }
      if (!result.isFull || blockedKeys.length >= maxBlockedKeys) break;
      this.#waiting = await countWaiting(this.#deps.pool);
    }
    return failure ?? 'done';
  }

  /**
   * Publishes the oldest rows and deletes them in one transaction. If it fails after publishing, the rows are published
   * again with the same ids: delivery is at least once.
   */
  async #publishBatch(blockedKeys: readonly string[]): Promise<BatchResult> {
    const { pool, bus, batch } = this.#deps;
    this.#databaseName ??= await nameDatabase(pool);
    const name = this.#databaseName;
    const work = async (client: pg.PoolClient): Promise<BatchResult> => {
      if (!(await lockOutbox(client))) return { kind: 'elsewhere' };
      const rows = await listWaiting(client, batch, blockedKeys);
      const outcome = await publishRows(bus, name, rows);
      for (const poison of outcome.poison) await this.#giveUp(client, eventId(name, poison.row), poison);
      const settled = [...outcome.published, ...outcome.poison.map(({ row }) => row)];
      await deleteRows(
        client,
        settled.map(({ id }) => id),
      );
      await noteFailures(
        client,
        outcome.failed.map(({ row, error }) => ({ id: row.id, error: error.message })),
      );
      return { kind: 'published', isFull: rows.length === batch, failed: outcome.failed };
    };
    return inTransaction(pool, work, begin);
  }

  async #giveUp(client: pg.PoolClient, id: string, { row, error }: FailedRow): Promise<void> {
    const { subject, payload } = row;
    const attempts = row.attempts + 1;
    await recordDeadLetter(client, {
      consumer: 'outbox',
      eventId: id,
      subject,
      payload,
      error: error.message,
      attempts,
    });
    this.#deps.log.error(
      { err: error, event_id: id, subject },
      'event can never be published, became a dead letter',
    );
  }
}

export type { OutboxRelay };

/** Creates a relay, which is not started yet. */
export function createOutboxRelay(deps: OutboxRelayDeps): OutboxRelay {
  return new OutboxRelay(deps);
}

/** A row that could not be published and why. */
interface FailedRow {
  readonly row: WaitingRow;
  readonly error: Error;
}

/** The outcome of a batch; rows in none of the lists were not tried, as an earlier row with their key failed. */
interface PublishOutcome {
  readonly published: readonly WaitingRow[];
  /** Rows that can never be published. */
  readonly poison: readonly FailedRow[];
  /** Rows that could not be published now: the first of each key. */
  readonly failed: readonly FailedRow[];
}

/** Publishes keys concurrently and the rows of one key sequentially. */
export async function publishRows(
  bus: Pick<Bus, 'publish'>,
  databaseName: string,
  rows: readonly WaitingRow[],
): Promise<PublishOutcome> {
  const published: WaitingRow[] = [];
  const poison: FailedRow[] = [];
  const failed: FailedRow[] = [];

  /** Returns whether the next row of the key may be published. */
  async function publish(row: WaitingRow): Promise<boolean> {
    const id = eventId(databaseName, row);
    try {
      // The bus validates both against the catalogue.
      const payload = row.payload as EventMap[Subject];
      await bus.publish(row.subject as Subject, payload, { id, requestId: row.requestId ?? undefined });
      published.push(row);
      return true;
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      const isPoison = error instanceof InvalidEventError;
      (isPoison ? poison : failed).push({ row, error });
      return isPoison;
    }
  }

  async function publishKey(ofKey: readonly WaitingRow[]): Promise<void> {
    for (const row of ofKey) if (!(await publish(row))) return;
  }

  await Promise.all(groupByKey(rows).map(publishKey));
  return { published, poison, failed };
}

/**
 * Returns the event id of a row, which is the same for every attempt. It contains the time because row ids are assigned
 * again after the tables are recreated or restored.
 */
export function eventId(databaseName: string, { id, createdMs }: WaitingRow): string {
  return `${databaseName}-${Number(createdMs).toString(36)}-${id}`;
}

function groupByKey(rows: readonly WaitingRow[]): WaitingRow[][] {
  const groups = new Map<string, WaitingRow[]>();
  for (const row of rows) {
    const group = groups.get(row.orderingKey);
    if (group) group.push(row);
    else groups.set(row.orderingKey, [row]);
  }
  return [...groups.values()];
}
