import type { PrismaClient } from '@birdhub/shared/db';
import { msSql } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Attachment, Message } from './channel.js';
import { type DeliveryFailure, say, toColumns, toValues } from './delivery-failures.js';

/** The recipients of a stored notification. */
export interface EnqueuedNotification {
  readonly notificationId: number;
  /** Unknown and disabled channels are skipped. */
  readonly channelIds: readonly number[] | 'all';
  /** ms since the epoch */
  readonly now: number;
  readonly attachments?: readonly Attachment[];
}

/** Maximum queued deliveries of a channel. */
const maxWaiting = 1_000;
const maxAttachmentBytes = 15 * 1024 * 1024;

const enqueueSql = `
  INSERT INTO push_delivery
    (notification_id, channel, channel_id, target, state, error, sentences, next_attempt_at, created_at)
  SELECT $1, kind, channel.id, target, CASE WHEN is_full THEN 'failed' ELSE 'pending' END,
    CASE WHEN is_full THEN $5 END, CASE WHEN is_full THEN $6::jsonb END, $3, $3
  FROM notification_channel channel
  CROSS JOIN LATERAL (SELECT count(*) >= $4 AS is_full FROM push_delivery waiting
    WHERE waiting.channel_id = channel.id AND state IN ('pending', 'sending')) AS queue
  CROSS JOIN LATERAL (SELECT '' AS target WHERE kind <> 'web_push'
    UNION ALL SELECT push_subscription.id::text FROM push_subscription WHERE kind = 'web_push'
      AND (SELECT value #> '{web_push,enabled}' IS DISTINCT FROM 'false' FROM setting WHERE key = 'hub')) AS recipients
  WHERE enabled AND ($2::bigint[] IS NULL OR channel.id = ANY ($2))
  ON CONFLICT DO NOTHING
  RETURNING state`;

const attachSql =
  'INSERT INTO notification_attachment (notification_id, name, type, content) VALUES ($1, $2, $3, $4)';

/**
 * Stores a delivery for each recipient of a stored notification, in the caller's transaction. Returns the number of
 * deliveries.
 */
export async function enqueueDeliveries(
  client: Pick<pg.ClientBase, 'query'>,
  { notificationId, channelIds, now, attachments = [] }: EnqueuedNotification,
): Promise<number> {
  const ids = channelIds === 'all' ? null : channelIds;
  const values = [notificationId, ids, new Date(now), maxWaiting, ...toValues(say('queue_full'))];
  const { rows } = await client.query<{ state: string }>(enqueueSql, values);
  if (!rows.length) return 0;
  for (const { name, type, content } of attachments) {
    if (content.length > maxAttachmentBytes) throw new RangeError('an attachment is too large');
    await client.query(attachSql, [notificationId, name, type, content]);
  }
  return rows.filter(({ state }) => state === 'pending').length;
}

/** A delivery claimed by this process. */
export interface Delivery {
  readonly id: number;
  readonly channelId: number;
  readonly notificationId: number;
  readonly target: string;
  readonly message: Message;
  /** Attempts so far, including this one. */
  readonly attempts: number;
  /** ms since the epoch */
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** The state of a delivery after an attempt. */
export interface Settlement {
  readonly state: 'pending' | 'sent' | 'failed' | 'gone';
  readonly failure: DeliveryFailure | null;
  /** ms since the epoch */
  readonly nextAttemptAt: number;
  /** Whether it was postponed without an attempt, as a picture is awaited. */
  readonly isPostponed?: boolean;
}

/** Lease of a claimed delivery, longer than any attempt. */
const leaseMs = 240_000;

const claimSql = `
  UPDATE push_delivery SET state = 'sending', attempts = attempts + 1, next_attempt_at = $2
  FROM notification
  WHERE notification.id = notification_id AND push_delivery.id = (
    SELECT id FROM push_delivery WHERE channel_id = $3 AND state = 'pending' AND next_attempt_at <= $1
    ORDER BY attempts,
      CASE WHEN channel = 'web_push' THEN EXISTS (SELECT FROM push_subscription browser
        WHERE browser.id = target::bigint AND failures > 0) ELSE false END,
      next_attempt_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING push_delivery.id, channel_id AS "channelId", notification_id AS "notificationId", target, message, attempts,
    ${msSql('push_delivery.created_at')} AS "createdAt",
    ${msSql('expires_at')} AS "expiresAt"`;

/**
 * Claims the due delivery of a channel with the fewest attempts, then the oldest; those of browsers whose last message
 * failed come after the others. It is not attempted again unless settled as pending.
 */
export async function claimDelivery(
  pool: pg.Pool,
  channelId: number,
  now: number,
): Promise<Delivery | undefined> {
  const values = [new Date(now), new Date(now + leaseMs), channelId];
  return (await pool.query<Delivery>({ name: 'claim-delivery', text: claimSql, values })).rows[0];
}

const waitingSql = `
  SELECT channel_id AS id, count(*)::int AS waiting FROM push_delivery
  WHERE state IN ('pending', 'sending') AND channel_id IS NOT NULL GROUP BY channel_id`;

/** Returns the number of queued deliveries by the id of their channel; channels without any are missing. */
export async function countWaiting(pool: pg.Pool): Promise<Map<number, number>> {
  const { rows } = await pool.query<{ id: number; waiting: number }>(waitingSql);
  return new Map(rows.map(({ id, waiting }) => [id, waiting]));
}

/** Stores the state of a delivery, unless its notification was deleted. */
export async function settleDelivery(
  { pushDelivery }: PrismaClient,
  id: number,
  { state, failure, nextAttemptAt, isPostponed }: Settlement,
): Promise<void> {
  await pushDelivery.updateMany({
    where: { id },
    data: {
      state,
      ...toColumns(failure),
      nextAttemptAt: new Date(nextAttemptAt),
      ...(isPostponed && { attempts: { decrement: 1 } }),
    },
  });
}

/** Returns the files of a notification. */
export async function findAttachments(
  { notificationAttachment }: PrismaClient,
  notificationId: number,
): Promise<Attachment[]> {
  const rows = await notificationAttachment.findMany({ where: { notificationId }, orderBy: { id: 'asc' } });
  return rows.map(({ name, type, content }) => ({ name, type, content: Buffer.from(content) }));
}

/** Returns deliveries with an id below `before`, newest first, each with its message and its channel. */
export async function listDeliveries({ pushDelivery }: PrismaClient, before: number, limit: number) {
  return pushDelivery.findMany({
    where: { id: { lt: before } },
    orderBy: { id: 'desc' },
    take: limit,
    include: {
      notification: { select: { message: true, visitId: true } },
      channelRow: { select: { name: true } },
    },
  });
}

const abandonSql = `
  UPDATE push_delivery SET state = 'failed', error = $2, sentences = $3 WHERE state = 'sending' AND next_attempt_at <= $1`;

const dueSql = `
  SELECT channel_id AS "channelId", min(next_attempt_at) AS at FROM push_delivery
  WHERE state IN ('pending', 'sending') AND channel_id IS NOT NULL GROUP BY channel_id`;

/** The time at which the next delivery of a channel is due. */
export interface DueChannel {
  readonly channelId: number;
  /** ms since the epoch */
  readonly at: number;
}

/**
 * Fails deliveries whose process crashed during an attempt. Returns when the next delivery of each channel is due.
 * Plain SQL, as an idle hub polls with it.
 */
export async function listDueChannels(pool: pg.Pool, now: number): Promise<DueChannel[]> {
  const values = [new Date(now), ...toValues(say('interrupted'))];
  await pool.query({ name: 'abandon-deliveries', text: abandonSql, values });
  const { rows } = await pool.query<{ channelId: number; at: Date }>({ name: 'due-channels', text: dueSql });
  return rows.map(({ channelId, at }) => ({ channelId, at: at.getTime() }));
}
