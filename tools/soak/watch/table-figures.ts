import type pg from 'pg';

/** The size of a table of the hub. */
export interface TableFigures {
  readonly rows: number;
  readonly deadRows: number;
  /** Including data that is stored out of line. */
  readonly bytes: number;
  /** Bytes of each index, by name. */
  readonly indexes: Readonly<Record<string, number>>;
}

/** By the name of the table. */
export type Tables = Readonly<Record<string, TableFigures>>;

const tablesSql = `
  SELECT relname AS name, n_live_tup AS rows, n_dead_tup AS "deadRows", pg_table_size(relid) AS bytes,
    (SELECT coalesce(json_object_agg(indexrelname, pg_relation_size(indexrelid)), '{}')
     FROM pg_stat_user_indexes own WHERE own.relid = tables.relid) AS indexes
  FROM pg_stat_user_tables tables ORDER BY relname`;

/** Reads the sizes of all tables and indexes; rows are estimates of PostgreSQL. */
export async function readTables(pool: pg.Pool): Promise<Tables> {
  const { rows } = await pool.query<TableFigures & { name: string }>(tablesSql);
  return Object.fromEntries(rows.map(({ name, ...figures }) => [name, figures]));
}

/** Returns the number of unpublished events and of dead letters. */
export async function readOutbox(pool: pg.Pool): Promise<{ outbox: number; deadLetters: number }> {
  const { rows } = await pool.query<{ outbox: number; deadLetters: number }>(
    'SELECT (SELECT count(*) FROM outbox) AS outbox, (SELECT count(*) FROM dead_letter) AS "deadLetters"',
  );
  return rows[0] ?? { outbox: Number.NaN, deadLetters: Number.NaN };
}
