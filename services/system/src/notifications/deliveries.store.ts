import type pg from 'pg';
import type { ChannelName, Message } from './channel.js';

/** A message that one process alone is about to hand over. */
export interface Delivery {
  readonly id: number;
  readonly channel: ChannelName;
  readonly target: string;
  readonly message: Message;
  /** Attempts so far, this one included. */
  readonly attempts: number;
  /** ms since the epoch */
  readonly expiresAt: number;
}

/** How a delivery stands after an attempt. */
export interface Settlement {
  readonly state: 'pending' | 'sent' | 'failed' | 'gone';
  readonly error: string | null;
  /** ms since the epoch */
  readonly nextAttemptAt: number;
}

/** Longer than an attempt takes. */
const leaseMs = 60_000;

const claimSql = `
  UPDATE push_delivery SET state = 'sending', attempts = attempts + 1, next_attempt_at = $2
  FROM notification
  WHERE notification.id = notification_id AND push_delivery.id = (
    SELECT id FROM push_delivery WHERE channel = $3 AND state = 'pending' AND next_attempt_at <= $1
    ORDER BY attempts, next_attempt_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING push_delivery.id, channel, target, message, attempts, expires_at`;

interface Row extends Omit<Delivery, 'expiresAt'> {
  readonly expires_at: Date;
}

/**
 * Takes the delivery of a channel that was tried least and then waits longest; from here on it is not made again
 * unless its attempt is settled so.
 */
export async function claimDelivery(
  pool: pg.Pool,
  channel: ChannelName,
  now: number,
): Promise<Delivery | undefined> {
  const { rows } = await pool.query<Row>(claimSql, [new Date(now), new Date(now + leaseMs), channel]);
  const [row] = rows;
  if (!row) return undefined;
  const { expires_at, ...delivery } = row;
  return { ...delivery, expiresAt: expires_at.getTime() };
}

export async function settleDelivery(pool: pg.Pool, id: number, settlement: Settlement): Promise<void> {
  const { state, error, nextAttemptAt } = settlement;
  const text = 'UPDATE push_delivery SET state = $2, error = $3, next_attempt_at = $4 WHERE id = $1';
  await pool.query(text, [id, state, error, new Date(nextAttemptAt)]);
}

const abandonSql = `
  UPDATE push_delivery SET state = 'failed', error = 'the hub stopped while it was sent; it may have arrived'
  WHERE state = 'sending' AND next_attempt_at <= $1`;

const nextSql = `SELECT min(next_attempt_at) AS next FROM push_delivery WHERE channel = $1 AND state IN ('pending', 'sending')`;

/**
 * Gives up what a process left in the middle of an attempt, and tells when a channel has something to do again, in ms
 * since the epoch; undefined when nothing waits.
 */
export async function tidyDeliveries(
  pool: pg.Pool,
  channel: ChannelName,
  now: number,
): Promise<number | undefined> {
  await pool.query(abandonSql, [new Date(now)]);
  const { rows } = await pool.query<{ next: Date | null }>(nextSql, [channel]);
  return rows[0]?.next?.getTime();
}
