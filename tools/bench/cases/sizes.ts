import pg from 'pg';
import type { ResultRow, TableSize } from '../report/result-row.js';
import type { BenchCase } from './bench-case.js';

const minRows = 10_000;

const sizesSql = `
  SELECT relname AS title, n_live_tup::int AS rows, pg_table_size(relid)::float8 AS bytes,
    pg_indexes_size(relid)::float8 AS "indexBytes"
  FROM pg_stat_user_tables WHERE n_live_tup >= $1 ORDER BY pg_total_relation_size(relid) DESC`;

/** The sizes of the larger tables and their indexes, largest first. */
export const sizesCase: BenchCase = {
  name: 'sizes',
  about: 'rows and bytes of the larger tables and their indexes',
  kind: 'load',
  async run({ hub }): Promise<ResultRow[]> {
    const client = new pg.Client({ connectionString: hub.databaseUrl });
    await client.connect();
    try {
      // The row statistics of PostgreSQL are lost in a copy of its data folder.
      await client.query('ANALYZE');
      const { rows } = await client.query<TableSize & { title: string }>(sizesSql, [minRows]);
      return rows.map(({ title, ...size }) => ({ title, size }));
    } finally {
      await client.end();
    }
  },
};
