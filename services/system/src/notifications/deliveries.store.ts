import type { PrismaClient } from '@birdhub/shared/db';
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
  RETURNING push_delivery.id, channel, target, message, attempts,
    (extract(epoch FROM expires_at) * 1000)::bigint AS "expiresAt"`;

/**
 * Takes the delivery of a channel that was tried least and then waits longest; from here on it is not made again
 * unless its attempt is settled so.
 */
export async function claimDelivery(
  pool: pg.Pool,
  channel: ChannelName,
  now: number,
): Promise<Delivery | undefined> {
  const { rows } = await pool.query<Delivery>(claimSql, [new Date(now), new Date(now + leaseMs), channel]);
  return rows[0];
}

/** Writes down how a delivery stands; one whose notification is deleted by now is left alone. */
export async function settleDelivery(
  { pushDelivery }: PrismaClient,
  id: number,
  { state, error, nextAttemptAt }: Settlement,
): Promise<void> {
  const data = { state, error, nextAttemptAt: new Date(nextAttemptAt) };
  await pushDelivery.updateMany({ where: { id }, data });
}

/** Deliveries before one, the newest first, each with its message. */
export async function listDeliveries({ pushDelivery }: PrismaClient, before: number, limit: number) {
  const notification = { select: { message: true, visitId: true } } as const;
  return pushDelivery.findMany({
    where: { id: { lt: before } },
    orderBy: { id: 'desc' },
    take: limit,
    include: { notification },
  });
}

const abandonSql = `
  UPDATE push_delivery SET state = 'failed', error = 'the hub stopped while it was sent; it may have arrived'
  WHERE state = 'sending' AND next_attempt_at <= $1`;

const nextSql = `SELECT min(next_attempt_at) AS next FROM push_delivery WHERE channel = $1 AND state IN ('pending', 'sending')`;

/**
 * Gives up what a process left in the middle of an attempt, and returns when a channel has something to do again, in ms
 * since the epoch; undefined when nothing waits. SQL, as a hub at rest asks often.
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
