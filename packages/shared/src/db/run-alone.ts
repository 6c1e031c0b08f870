import type pg from 'pg';

/**
 * Runs work that one process of the hub may do at a time, known by its name. Undefined, and nothing was run, while
 * it is being done elsewhere. A process that dies in its middle leaves the next one free to begin.
 */
export async function runAlone<T>(
  pool: pg.Pool,
  name: string,
  work: () => Promise<T>,
): Promise<{ readonly result: T } | undefined> {
  const client = await pool.connect();
  let isBroken = false;
  // The connection is idle meanwhile; without a listener its loss would end the process.
  const lose = () => {
    isBroken = true;
  };
  client.on('error', lose);
  const key = `birdhub.${name}`;
  try {
    const { rows } = await client.query<{ held: boolean }>(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held',
      [key],
    );
    if (!rows[0]?.held) return undefined;
    try {
      return { result: await work() };
    } finally {
      await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [key]).catch(lose);
    }
  } finally {
    client.off('error', lose);
    client.release(isBroken);
  }
}
