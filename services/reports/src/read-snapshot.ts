import type pg from 'pg';

/** Reads on one connection and from one snapshot of the database; releases it also when the reader leaves early. */
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
