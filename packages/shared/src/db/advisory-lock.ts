import type pg from 'pg';
import { hashedKey, type LockName } from './locks.js';

/**
 * Runs work that one process of the hub may do at a time, known by its lock. Undefined, and nothing was run, while
 * it is being done elsewhere. A process that dies in its middle leaves the next one free to begin.
 */
export async function withAdvisoryLock<T>(
  pool: pg.Pool,
  lock: LockName,
  work: () => Promise<T>,
): Promise<{ readonly result: T } | undefined> {
  const client = await pool.connect();
  let isBroken = false;
  // The connection is idle meanwhile; without a listener its loss would end the process.
  const lose = () => {
    isBroken = true;
  };
  client.on('error', lose);
  try {
    const { rows } = await client.query<{ held: boolean }>(
      `SELECT pg_try_advisory_lock(${hashedKey('$1')}) AS held`,
      [lock],
    );
    if (!rows[0]?.held) return undefined;
    try {
      return { result: await work() };
    } finally {
      await client.query(`SELECT pg_advisory_unlock(${hashedKey('$1')})`, [lock]).catch(lose);
    }
  } finally {
    client.off('error', lose);
    client.release(isBroken);
  }
}
