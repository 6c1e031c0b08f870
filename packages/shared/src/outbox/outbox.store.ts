import type pg from 'pg';
import type { DeadLetter } from '../bus/index.js';
import { keyOf, lockNames } from '../db/index.js';

/** An unpublished row. */
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

const maxCounted = 10_000;

/** Takes the lock of the relay until the transaction ends; returns false when another relay holds it. */
export async function lockOutbox(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>({
    name: 'lock-outbox',
    text: `SELECT pg_try_advisory_xact_lock(${keyOf(lockNames.outbox)}) AS held`,
  });
  return rows[0]?.held ?? false;
}

/** Returns the oldest rows, except those with blocked keys. */
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

/** Stores the errors of rows that could not be published. */
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

/** Returns the number of rows, counted up to 10,000. */
export async function countWaiting(database: Pick<pg.ClientBase, 'query'>): Promise<number> {
  const { rows } = await database.query<{ count: string }>(
    'SELECT count(*)::text AS count FROM (SELECT 1 FROM outbox LIMIT $1) AS waiting',
    [maxCounted],
  );
  return Number(rows[0]?.count ?? 0);
}

/**
 * Returns a unique name of the database, which differs even for a copy restored on another server, so that the broker
 * does not treat events of two databases as duplicates.
 */
export async function nameDatabase(database: Pick<pg.ClientBase, 'query'>): Promise<string> {
  const { rows } = await database.query<{ system: string; oid: string }>(
    `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system, oid::text
     FROM pg_database WHERE datname = current_database()`,
  );
  const [row] = rows;
  if (!row) throw new Error('the database is not in pg_database');
  return `${BigInt(row.system).toString(36)}-${Number(row.oid).toString(36)}`;
}

const maxErrorLength = 2_000;

// jsonb stores neither U+0000 nor lone surrogates, which JSON.stringify writes as escapes. The first alternative skips
// escaped backslashes.
const escapes = /\\\\|\\u(?:0000|d[89a-f][\da-f]{2})/g;

/** Stores a dead letter; replaces an earlier one of the same event and consumer. */
export async function recordDeadLetter(
  database: Pick<pg.ClientBase, 'query'>,
  { consumer, eventId, subject, payload, error, attempts }: DeadLetter,
): Promise<void> {
  await database.query(
    `INSERT INTO dead_letter (consumer, event_id, subject, payload, error, attempts)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (consumer, event_id) DO UPDATE
       SET payload = excluded.payload, error = excluded.error, attempts = excluded.attempts`,
    [consumer, eventId, subject, toJson(payload), toText(error), attempts],
  );
}

function toJson(payload: unknown): string {
  const text = JSON.stringify(payload) ?? 'null';
  return text.replace(escapes, (found) => (found === '\\\\' ? found : '\\ufffd'));
}

function toText(error: string): string {
  return error.replaceAll('\u0000', '\ufffd').slice(0, maxErrorLength);
}
