import type pg from 'pg';
import type { ResultRow } from '../report/result-row.js';
import { compareWithPlain } from './compare-with-plain.js';
import { dividedTables, monthly, partOf } from './monthly-sql.js';

type Client = pg.Pool | pg.Client;

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

/** Compares the sizes of tables and indexes, and the number of indexes. */
export async function compareSizes(client: Client): Promise<ResultRow[]> {
  const [plain, divided] = [await readSizes(client, 'public'), await readSizes(client, monthly)];
  return [
    compareWithPlain('tables, by month', 'MB', plain.tables, divided.tables),
    compareWithPlain('indexes, by month', 'MB', plain.indexes, divided.indexes),
    compareWithPlain('number of indexes, by month', '', plain.count, divided.count),
  ];
}

async function secondsFor(client: Client, statements: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  for (const statement of statements) await client.query(statement);
  return (performance.now() - startedAt) / 1000;
}

/** Compares clearing a month: deleting rows and making their space reusable, with dropping partitions. */
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
  const each = (seconds: number) => (seconds * 1000) / (before.rows[0]?.count ?? Number.NaN);
  return [
    compareWithPlain(
      'a recording of a cleared month: rows deleted, or parts dropped',
      'ms',
      each(removed),
      each(dropped),
    ),
    { title: 'vacuum after rows are deleted', single: { value: vacuumed, unit: 's' } },
  ];
}
