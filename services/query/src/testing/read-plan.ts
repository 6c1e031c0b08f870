import type pg from 'pg';

/** How PostgreSQL would run a statement, as text. */
export async function readPlan(pool: pg.Pool, sql: string, values: readonly unknown[]): Promise<string> {
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, [...values]);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
