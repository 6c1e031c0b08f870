import type pg from 'pg';

const text = `SELECT coalesce(sum(value), 0)::int AS count FROM hub_counter WHERE name = 'detections'`;

/** How many detections are in store, as counted while they come and go. */
export async function countDetections(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(text);
  return rows[0]?.count ?? 0;
}
