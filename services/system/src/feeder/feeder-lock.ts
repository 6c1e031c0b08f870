import type pg from 'pg';

const key = `hashtextextended('birdhub.feeder', 0)`;

/**
 * Works while nobody else in the hub does; undefined, without working, when somebody does. The lock is the
 * connection's: it is gone with the process, and no transaction stays open for as long as a feeder does.
 */
export async function underFeederLock<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T | undefined> {
  const client = await pool.connect();
  let isBroken = false;
  // Without a listener a connection that is lost in between would end the process.
  const lose = () => {
    isBroken = true;
  };
  client.on('error', lose);
  try {
    const { rows } = await client.query<{ held: boolean }>(`SELECT pg_try_advisory_lock(${key}) AS held`);
    if (!rows[0]?.held) return undefined;
    // A connection on which the lock may be held still is not given back.
    return await work().finally(() => client.query(`SELECT pg_advisory_unlock(${key})`).catch(lose));
  } finally {
    client.off('error', lose);
    client.release(isBroken);
  }
}
