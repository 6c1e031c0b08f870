import type pg from 'pg';
import type { ResultRow } from '../report/result-row.js';
import type { Pools } from './compare-runs.js';
import { compareWithPlain } from './compare-with-plain.js';
import type { Comparable, Run } from './statements.js';

const recordings = 500;
/** Number of the first recording, after those of the time measurement. */
const first = 100_000;

async function logOf(pool: pg.Pool, run: Run): Promise<number> {
  const read = async () => (await pool.query('SELECT pg_current_wal_insert_lsn() AS lsn')).rows[0].lsn;
  const before = await read();
  for (let number = 0; number < recordings; number += 1) await run(pool, first + number);
  const values = [await read(), before];
  const { rows } = await pool.query('SELECT pg_wal_lsn_diff($1, $2)::float8 AS bytes', values);
  return rows[0].bytes / recordings / 1_000;
}

/** Compares what a recording adds to the write-ahead log, which is sent to replicas and archives. */
export async function compareLog(pools: Pools, { plain, monthly }: Comparable): Promise<ResultRow> {
  const [before, after] = [await logOf(pools.plain, plain), await logOf(pools.monthly, monthly)];
  return compareWithPlain('write-ahead log of a recording, by month', 'kB', before, after);
}
