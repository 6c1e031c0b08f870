import type pg from 'pg';
import { keyOf, lockNames } from '../db/index.js';

/** A row that waits for the broker. */
export interface WaitingRow {
  readonly id: string;
  readonly subject: string;
  readonly orderingKey: string;
  readonly payload: unknown;
  readonly requestId: string | null;
  readonly attempts: number;
  /** Milliseconds since the epoch. */
  readonly createdMs: string;
}

const mostCounted = 10_000;

/** Takes the right to drain until the transaction ends; false when another relay has it. */
export async function lockOutbox(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>({
    name: 'lock-outbox',
    text: `SELECT pg_try_advisory_xact_lock(${keyOf(lockNames.outbox)}) AS held`,
  });
  return rows[0]?.held ?? false;
}

/** The oldest rows, those of blocked keys left out. */
export async function listWaiting(
  client: pg.PoolClient,
  limit: number,
  blockedKeys: readonly string[],
): Promise<WaitingRow[]> {
  const { rows } = await client.query<WaitingRow>({
    name: 'outbox-waiting',
    text: `
      SELECT id::text, subject, ordering_key AS "orderingKey", payload, request_id AS "requestId", attempts,
        floor(extract(epoch FROM created_at) * 1000)::bigint::text AS "createdMs"
      FROM outbox WHERE NOT ordering_key = ANY ($2) ORDER BY outbox.id LIMIT $1`,
    values: [limit, blockedKeys],
  });
  return rows;
}

export async function deleteRows(client: pg.PoolClient, ids: readonly string[]): Promise<void> {
  if (!ids.length) return;
  const text = 'DELETE FROM outbox WHERE id = ANY ($1::bigint[])';
  await client.query({ name: 'outbox-done', text, values: [ids] });
}

/** Notes on rows why they could not be published. */
export async function noteFailures(
  client: pg.PoolClient,
  failures: readonly { readonly id: string; readonly error: string }[],
): Promise<void> {
  if (!failures.length) return;
  await client.query(
    `UPDATE outbox SET attempts = attempts + 1, last_error = failure.error
     FROM unnest($1::bigint[], $2::text[]) AS failure (id, error) WHERE outbox.id = failure.id`,
    [failures.map(({ id }) => id), failures.map(({ error }) => error)],
  );
}

/** How many rows wait, counted up to 10,000. */
export async function countWaiting(database: Pick<pg.ClientBase, 'query'>): Promise<number> {
  const { rows } = await database.query<{ count: string }>(
    'SELECT count(*)::text AS count FROM (SELECT 1 FROM outbox LIMIT $1) AS waiting',
    [mostCounted],
  );
  return Number(rows[0]?.count ?? 0);
}

/**
 * A name for this database that no other one has, a restored copy on another server included. Two databases that
 * share a broker must not have their events taken for one another's repetitions.
 */
export async function nameDatabase(database: Pick<pg.ClientBase, 'query'>): Promise<string> {
  const { rows } = await database.query<{ system: string; oid: string }>(
    `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system, oid::text
     FROM pg_database WHERE datname = current_database()`,
  );
  const [row] = rows;
  if (!row) throw new Error('the database does not know itself');
  return `${BigInt(row.system).toString(36)}-${Number(row.oid).toString(36)}`;
}
