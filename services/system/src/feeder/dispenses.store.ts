import type { ErrorCode } from '@birdhub/shared/errors';
import type pg from 'pg';

/** Who asked for a portion, and how the feeder is driven. */
export interface DispenseRequest {
  /** Role of who asked: `admin`, or `mcp` for an assistant. */
  readonly by: string;
  readonly source: string;
}

const lastSql = `
  SELECT updated_at FROM activity_log WHERE type = 'feed_dispense' ORDER BY updated_at DESC LIMIT 1`;

/** When a portion was last given, ms since the epoch. */
export async function findLastDispense(pool: pg.Pool): Promise<number | undefined> {
  const { rows } = await pool.query<{ updated_at: Date }>({ name: 'last-dispense', text: lastSql });
  return rows[0]?.updated_at.getTime();
}

const noteSql = 'INSERT INTO activity_log (type, data, updated_at) VALUES ($1, $2, $3)';

/** Takes down that a portion was given. */
export async function noteDispense(
  pool: pg.Pool,
  { by, source }: DispenseRequest,
  at: number,
): Promise<void> {
  const dispensed_at = new Date(at).toISOString();
  const data = JSON.stringify({ by, source, dispensed_at, ok: true });
  await pool.query(noteSql, ['feed_dispense', data, dispensed_at]);
}

/** Takes down that a portion was asked for and why none was given; it does not count as one. */
export async function noteFailure(
  pool: pg.Pool,
  { by, source }: DispenseRequest,
  code: ErrorCode,
  at: number,
): Promise<void> {
  const data = JSON.stringify({ by, source, ok: false, code });
  await pool.query(noteSql, ['feed_dispense_failed', data, new Date(at).toISOString()]);
}
