import type pg from 'pg';
import type { Logger } from 'pino';
import type { Bus } from '../bus/index.js';
import { inTransaction } from '../db/index.js';
import { recordDeadLetter } from './dead-letter.store.js';
import { deleteRows, listWaiting, lockOutbox, noteFailures } from './outbox.store.js';
import { type BatchOutcome, eventId, publishBatch } from './publish-batch.js';

/** What draining needs. */
export interface Drain {
  readonly pool: pg.Pool;
  readonly bus: Pick<Bus, 'publish'>;
  readonly log: Logger;
  readonly databaseName: string;
  /** Most rows at once. */
  readonly batch: number;
}

/** What a batch came to; another relay may be at it. */
export type DrainOutcome =
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'drained'; readonly isFull: boolean; readonly failed: BatchOutcome['failed'] };

async function settle(client: pg.PoolClient, drain: Drain, outcome: BatchOutcome): Promise<void> {
  const { published, poison, failed } = outcome;
  for (const { row, error } of poison) {
    const id = eventId(drain.databaseName, row);
    const { subject, payload } = row;
    const attempts = row.attempts + 1;
    const letter = { consumer: 'outbox', eventId: id, subject, payload, error: error.message, attempts };
    await recordDeadLetter(client, letter);
    drain.log.error(
      { err: error, event_id: id, subject },
      'event can never be published, became a dead letter',
    );
  }
  const settled = [...published, ...poison.map(({ row }) => row)];
  await deleteRows(
    client,
    settled.map(({ id }) => id),
  );
  await noteFailures(
    client,
    failed.map(({ row, error }) => ({ id: row.id, error: error.message })),
  );
}

/** A removal that a crash undoes is a repetition of the event, which costs less than waiting for the disk. */
const begin = 'BEGIN; SET LOCAL synchronous_commit = off';

/**
 * Publishes the oldest rows and removes them in one transaction. When it breaks off after publishing, the rows are
 * published again under the same ids: once or more, never less.
 */
export async function drainBatch(drain: Drain, blockedKeys: readonly string[]): Promise<DrainOutcome> {
  const work = async (client: pg.PoolClient): Promise<DrainOutcome> => {
    if (!(await lockOutbox(client))) return { kind: 'elsewhere' };
    const rows = await listWaiting(client, drain.batch, blockedKeys);
    const outcome = await publishBatch(drain.bus, drain.databaseName, rows);
    await settle(client, drain, outcome);
    return { kind: 'drained', isFull: rows.length === drain.batch, failed: outcome.failed };
  };
  return inTransaction(drain.pool, work, begin);
}
