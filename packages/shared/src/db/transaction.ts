import type pg from 'pg';

/**
 * Runs `work` in a transaction on one connection and answers its result after the commit.
 * `begin` may carry locks to take in the same round trip; whatever `work` throws rolls everything back.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  begin = 'BEGIN',
): Promise<T> {
  const client = await pool.connect();
  let isBroken = false;
  // A connection that is lost in between fails the statement; without a listener it would end the process too.
  const lose = () => {
    isBroken = true;
  };
  client.on('error', lose);
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {
      isBroken = true;
    });
    throw error;
  } finally {
    client.off('error', lose);
    client.release(isBroken);
  }
}
