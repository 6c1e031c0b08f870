import type pg from 'pg';

/** Returns the only row of a statement that always has one. @throws Error when it has none */
export async function queryRow<Row extends pg.QueryResultRow>(
  database: pg.Pool | pg.ClientBase,
  statement: pg.QueryConfig,
): Promise<Row> {
  const { rows } = await database.query<Row>(statement);
  const [row] = rows;
  if (!row) throw new Error(`the statement ${statement.name ?? statement.text} returned no row`);
  return row;
}
