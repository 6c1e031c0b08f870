import type pg from 'pg';
import { inTransaction, lockClasses, type PrismaClient } from '../db/index.js';

/** How many attempts count within which time. */
export interface AttemptWindow {
  readonly max: number;
  readonly windowMs: number;
}

/** The attempts of an address within the window, with this one, and ms until the oldest of them leaves it. */
export interface AttemptCount {
  readonly current: number;
  readonly ttl: number;
}

// The time is read after the lock is had; that of the transaction is older.
const countSql = `
  WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS now), recent AS (
    SELECT attempted_at + $2::int * interval '1 millisecond' - now AS stays
    FROM unlock_attempt, moment
    WHERE address = $1 AND attempted_at > now - $2::int * interval '1 millisecond'
    ORDER BY attempted_at DESC LIMIT $3
  ), counted AS (
    INSERT INTO unlock_attempt (address, attempted_at)
    SELECT $1, now FROM moment WHERE (SELECT count(*) FROM recent) < $3
  )
  SELECT count(*)::int + 1 AS current, coalesce(extract(epoch FROM min(stays)) * 1000, $2)::float AS ttl
  FROM recent`;

/** Those of one address wait for each other, here and at other gateways. */
const lockSql = `SELECT pg_advisory_xact_lock(${lockClasses.unlockAttempts}, hashtext($1))`;

/** Counts an attempt, unless as many as are allowed are counted already: then trying again changes nothing. */
export async function countAttempt(
  pool: pg.Pool,
  address: string,
  { max, windowMs }: AttemptWindow,
): Promise<AttemptCount> {
  return inTransaction(pool, async (client, send) => {
    send(client.query(lockSql, [address]));
    const { rows } = await client.query<AttemptCount>(countSql, [address, windowMs, max]);
    const [count] = rows;
    if (!count) throw new Error('attempts were not counted');
    return count;
  });
}

/** Forgets the attempts of an address: it knows a password. */
export async function forgetAttempts(prisma: PrismaClient, address: string): Promise<void> {
  await prisma.unlockAttempt.deleteMany({ where: { address } });
}

/** Removes the attempts that no window holds any more. */
export async function removeOldAttempts(
  prisma: PrismaClient,
  windowMs: number,
  now = Date.now(),
): Promise<void> {
  await prisma.unlockAttempt.deleteMany({ where: { attemptedAt: { lt: new Date(now - windowMs) } } });
}
