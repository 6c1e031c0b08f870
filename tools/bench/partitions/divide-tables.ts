import type pg from 'pg';
import {
  type DividedTable,
  dividedTables,
  divideIndexSql,
  divideSql,
  fillSql,
  monthly,
  partSql,
} from './monthly-sql.js';

/** The result of partitioning: the number of copied rows, and the seconds until they were indexed. */
export interface Divided {
  readonly months: readonly string[];
  readonly rows: number;
  readonly seconds: number;
}

const monthsSql = `
  SELECT to_char(month, 'YYYY-MM') AS month
  FROM (SELECT min(start_time) AS first, max(start_time) AS last FROM video) span,
    generate_series(date_trunc('month', first), last + interval '1 month', interval '1 month') month`;

async function makeIndexes(client: pg.Client, table: DividedTable): Promise<void> {
  const { rows } = await client.query<{ indexdef: string }>(
    `SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename = $1`,
    [table],
  );
  for (const { indexdef } of rows) await client.query(divideIndexSql(indexdef));
}

/**
 * Copies the growing tables into a separate schema, partitioned by month, with the same columns, checks and indexes. The
 * copies have no foreign keys: the key of a partitioned table contains its time, which the referring tables would have to
 * store too, for example the changing start of a visit.
 */
export async function divideTables(client: pg.Client): Promise<Divided> {
  await client.query(`CREATE SCHEMA ${monthly}`);
  const found = await client.query<{ month: string }>(monthsSql);
  const months = found.rows.map(({ month }) => month);
  for (const table of dividedTables) {
    for (const statement of divideSql(table)) await client.query(statement);
    for (const month of months) await client.query(partSql(table, month));
  }
  const startedAt = performance.now();
  let rows = 0;
  for (const table of dividedTables) rows += (await client.query(fillSql(table))).rowCount ?? 0;
  for (const table of dividedTables) await makeIndexes(client, table);
  const seconds = (performance.now() - startedAt) / 1000;
  await client.query(
    `CREATE CONSTRAINT TRIGGER species_visit_gap AFTER INSERT OR UPDATE OF species_id, start_time, end_time
     ON ${monthly}.species_visit DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse_close_visits()`,
  );
  for (const table of dividedTables) await client.query(`VACUUM (ANALYZE) ${monthly}.${table}`);
  return { months, rows, seconds };
}
