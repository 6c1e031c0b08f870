import type pg from 'pg';

/** What a table of the hub takes. */
export interface TableFigures {
  readonly rows: number;
  readonly deadRows: number;
  /** With what is stored out of line. */
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

/** Reads the size of every table and index; rows as PostgreSQL counts them along. */
export async function readTables(pool: pg.Pool): Promise<Tables> {
  const { rows } = await pool.query<TableFigures & { name: string }>(tablesSql);
  return Object.fromEntries(rows.map(({ name, ...figures }) => [name, figures]));
}

/** Events that wait for the broker, and those that nobody could handle. */
export async function readOutbox(pool: pg.Pool): Promise<{ outbox: number; deadLetters: number }> {
  const { rows } = await pool.query<{ outbox: number; deadLetters: number }>(
    'SELECT (SELECT count(*) FROM outbox) AS outbox, (SELECT count(*) FROM dead_letter) AS "deadLetters"',
  );
  return rows[0] ?? { outbox: Number.NaN, deadLetters: Number.NaN };
}
