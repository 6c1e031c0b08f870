import type pg from 'pg';

/** Reads from one snapshot of the database on one connection, which is released even if the reader stops early. */
export async function* readSnapshot<T>(
  pool: pg.Pool,
  read: (client: pg.PoolClient) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  const fail = (error: Error) => {
    failure = error;
  };
  client.on('error', fail);
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    yield* read(client);
  } finally {
    await client.query('ROLLBACK').catch(fail);
    client.off('error', fail);
    client.release(failure);
  }
}
