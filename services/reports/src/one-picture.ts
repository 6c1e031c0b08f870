import type pg from 'pg';

/** Reads on one connection and on one picture of the database; lets go of it when the reader leaves as well. */
export async function* onOnePicture<T>(
  pool: pg.Pool,
  read: (client: pg.PoolClient) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  const lose = (error: Error) => {
    failure = error;
  };
  client.on('error', lose);
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    yield* read(client);
  } finally {
    await client.query('ROLLBACK').catch(lose);
    client.off('error', lose);
    client.release(failure);
  }
}
