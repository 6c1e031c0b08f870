import type pg from 'pg';
import type { ResultRow } from '../report/result-row.js';
import { median } from '../run/quantile.js';
import type { Pools } from './compare-runs.js';
import { compareWithPlain } from './compare-with-plain.js';

/** A statement to be planned, with values for its parameters. */
export interface Planned {
  readonly title: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

const plannings = 15;

/** Returns the time to plan a statement once, in ms. */
async function planOnce(pool: pg.Pool, { text, values }: Planned): Promise<number> {
  const { rows } = await pool.query(`EXPLAIN (SUMMARY, FORMAT JSON) ${text}`, [...values]);
  return rows[0]['QUERY PLAN'][0]['Planning Time'];
}

/** Compares the median planning times, which each new connection pays once for each statement. */
export async function comparePlanning(pools: Pools, planned: Planned): Promise<ResultRow> {
  const before: number[] = [];
  const after: number[] = [];
  for (let run = 0; run < plannings; run += 1) {
    before.push(await planOnce(pools.plain, planned));
    after.push(await planOnce(pools.monthly, planned));
  }
  return compareWithPlain(`planning: ${planned.title}, by month`, 'ms', median(before), median(after));
}
