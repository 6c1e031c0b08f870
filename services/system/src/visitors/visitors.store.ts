import type pg from 'pg';

/** Visits of some days, and on how many of the days there were any; generic species left out. */
export interface VisitorNumbers {
  readonly visits: number;
  readonly days: number;
}

const text = `
  SELECT coalesce(sum(visits), 0) AS visits, count(DISTINCT day) FILTER (WHERE visits > 0) AS days
  FROM visit_day JOIN species ON species.id = species_id
  WHERE day > $1::date - $2::integer AND day <= $1::date AND NOT generic`;

/** Reads the rollups of so many calendar days up to one, that one included. */
export async function readVisitors(pool: pg.Pool, lastDay: string, days: number): Promise<VisitorNumbers> {
  const { rows } = await pool.query<VisitorNumbers>({ name: 'visitors', text, values: [lastDay, days] });
  return rows[0] ?? { visits: 0, days: 0 };
}
