import type pg from 'pg';
import { inTransaction, lockClasses, type PrismaClient } from '../db/index.js';

/** Maximum number of attempts within a period. */
export interface AttemptWindow {
  readonly max: number;
  readonly windowMs: number;
}

/** The number of attempts of an address within the window, including this one, and the time in ms until the oldest expires. */
export interface AttemptCount {
  readonly current: number;
  readonly ttl: number;
}

// `clock_timestamp()` is read after the lock is acquired; `now()` would be the start of the transaction.
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

/** Serialises the attempts of one address across processes. */
const lockSql = `SELECT pg_advisory_xact_lock(${lockClasses.unlockAttempts}, hashtext($1))`;

/** Counts an attempt, unless the limit is reached, so that further attempts do not extend the block. */
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

/** Deletes the attempts of an address, after the password of an administrator. */
export async function forgetAttempts(prisma: PrismaClient, address: string): Promise<void> {
  await prisma.unlockAttempt.deleteMany({ where: { address } });
}

// Without the row lock, two processes could choose the same attempt and leave one counted.
const forgetLatestSql = `
  DELETE FROM unlock_attempt WHERE id = (
    SELECT id FROM unlock_attempt WHERE address = $1 ORDER BY attempted_at DESC, id DESC LIMIT 1 FOR UPDATE
  )`;

/** Deletes the latest attempt of an address, which was made with a correct password; failed ones stay counted. */
export async function forgetLatestAttempt(pool: pg.Pool, address: string): Promise<void> {
  await pool.query(forgetLatestSql, [address]);
}

/** Deletes attempts older than the window. */
export async function removeOldAttempts(prisma: PrismaClient, windowMs: number, now: number): Promise<void> {
  await prisma.unlockAttempt.deleteMany({ where: { attemptedAt: { lt: new Date(now - windowMs) } } });
}
