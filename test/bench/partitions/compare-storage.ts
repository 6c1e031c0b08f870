import type pg from 'pg';
import type { ResultRow, SingleFigure } from '../report/result-row.js';
import type { Pools } from './compare-runs.js';
import { dividedTables, monthly, partOf } from './monthly-sql.js';

type Client = pg.Pool | pg.Client;

/** A figure of the divided tables beside that of the plain ones. */
function besides(title: string, unit: SingleFigure['unit'], plain: number, divided: number): ResultRow {
  const limit = { name: 'plain tables', value: plain, unit, ratio: divided / plain };
  return { title, single: { value: divided, unit }, limit };
}

const sizesSql = `
  SELECT sum(pg_indexes_size(relid))::float8 / 1e6 AS indexes, sum(pg_table_size(relid))::float8 / 1e6 AS tables,
    (SELECT count(*)::int FROM pg_indexes WHERE schemaname = $1 AND tablename ~ $2) AS count
  FROM pg_stat_user_tables WHERE schemaname = $1 AND relname ~ $2`;

interface Sizes {
  readonly tables: number;
  readonly indexes: number;
  readonly count: number;
}

async function readSizes(client: Client, schema: string): Promise<Sizes> {
  const { rows } = await client.query<Sizes>(sizesSql, [
    schema,
    `^(${dividedTables.join('|')})(_\\d+_\\d+)?$`,
  ]);
  const [sizes] = rows;
  if (!sizes) throw new Error(`the schema ${schema} has no tables`);
  return sizes;
}

/** Size of tables and indexes, and how many indexes there are. */
export async function compareSizes(client: Client): Promise<ResultRow[]> {
  const [plain, divided] = [await readSizes(client, 'public'), await readSizes(client, monthly)];
  return [
    besides('tables, by month', 'MB', plain.tables, divided.tables),
    besides('indexes, by month', 'MB', plain.indexes, divided.indexes),
    besides('number of indexes, by month', '', plain.count, divided.count),
  ];
}

const plannings = 15;

/** What it takes to plan a statement: the median, in ms. */
async function planningMs(pool: pg.Pool, text: string, values: readonly unknown[]): Promise<number> {
  const found: number[] = [];
  for (let run = 0; run < plannings; run += 1) {
    const { rows } = await pool.query(`EXPLAIN (SUMMARY, FORMAT JSON) ${text}`, [...values]);
    found.push(rows[0]['QUERY PLAN'][0]['Planning Time']);
  }
  return found.sort((a, b) => a - b)[Math.floor(plannings / 2)] ?? Number.NaN;
}

/** A statement that is planned as it is with the plain tables, and with those divided by month. */
export interface Planned {
  readonly title: string;
  readonly plain: string;
  readonly monthly: string;
  readonly values: readonly unknown[];
  readonly monthlyValues?: readonly unknown[];
}

/** Time to plan, which each new connection pays once for each statement. */
export async function comparePlanning(pools: Pools, planned: Planned): Promise<ResultRow> {
  const { title, plain, monthly: divided, values, monthlyValues = values } = planned;
  const before = await planningMs(pools.plain, plain, values);
  const after = await planningMs(pools.monthly, divided, monthlyValues);
  return besides(`planning: ${title}, by month`, 'ms', before, after);
}

async function secondsFor(client: Client, statements: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  for (const statement of statements) await client.query(statement);
  return (performance.now() - startedAt) / 1000;
}

/** Clears a month in both, and lets the space be used again, which the parts that are dropped give back at once. */
export async function compareClearing(client: pg.Client, month: string): Promise<ResultRow[]> {
  const inMonth = `start_time >= '${month}-01' AND start_time < timestamptz '${month}-01' + interval '1 month'`;
  const before = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM public.video WHERE ${inMonth}`,
  );
  const removed = await secondsFor(client, [
    'BEGIN',
    `DELETE FROM public.video WHERE ${inMonth}`,
    `DELETE FROM public.species_visit visit WHERE ${inMonth}
     AND NOT EXISTS (SELECT FROM public.detection WHERE visit_id = visit.id)`,
    'COMMIT',
  ]);
  const vacuumed = await secondsFor(
    client,
    dividedTables.map((table) => `VACUUM public.${table}`),
  );
  const parts = dividedTables.map((table) => [table, partOf(table, month)] as const);
  const dropped = await secondsFor(client, [
    'BEGIN',
    ...parts.map(([table, part]) => `ALTER TABLE ${monthly}.${table} DETACH PARTITION ${part}`),
    ...parts.map(([, part]) => `DROP TABLE ${part}`),
    'COMMIT',
  ]);
  const recordings = `a month of ${before.rows[0]?.count} recordings`;
  return [
    besides(`${recordings} cleared, by month: detached and dropped`, 's', removed, dropped),
    { title: `vacuum of the plain tables after ${recordings}`, single: { value: vacuumed, unit: 's' } },
  ];
}
