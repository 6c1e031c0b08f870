import type pg from 'pg';

const lastSql = `
  SELECT to_json(updated_at) #>> '{}' AS at FROM activity_log WHERE type = 'feed_dispense'
  ORDER BY updated_at DESC LIMIT 1`;

/** When the feeder last gave a portion, RFC 3339; null when it never did. */
export async function findLastDispense(pool: pg.Pool): Promise<string | null> {
  const { rows } = await pool.query<{ at: string }>({ name: 'last-dispense', text: lastSql });
  return rows[0]?.at ?? null;
}
