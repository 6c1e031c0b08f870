import { hashedKey, inTransaction, lockPrefixes, type PrismaClient } from '@birdhub/shared/db';
import type pg from 'pg';
import type { ChannelName, Message } from './channels.js';

/** A notification that may be sent, and what decides whether it is. */
export interface Notification {
  readonly message: Message;
  /** Normalised name of the species. */
  readonly speciesKey: string;
  /** When the bird was there, ms since the epoch; equal for a notice. */
  readonly from: number;
  readonly to: number;
  readonly expiresAt: number;
}

/** A recipient of a message. */
export interface Target {
  readonly channel: ChannelName;
  readonly target: string;
}

/** What limits the number of notifications. */
export interface NotificationLimits {
  /** ms since the epoch */
  readonly now: number;
  /** Least time between two notifications of a species. */
  readonly cooldownMs: number;
  /** The gap that ends a visit. */
  readonly gapMs: number;
}

/** Tolerated difference between the clocks of hub and processor. */
const clockSlackMs = 30_000;

const lockSql = `SELECT pg_advisory_xact_lock(${hashedKey(`'${lockPrefixes.notification}' || $1`)})`;

/** A notification of the same event or visit, or a notice within a visit that was notified. */
const duplicateSql = `
  SELECT FROM notification WHERE message_key = $1 OR visit_id = $2
  UNION ALL SELECT FROM notification JOIN species_visit visit ON visit.id = visit_id
  WHERE $2::bigint IS NULL AND species_key = $3 AND $4 BETWEEN visit.start_time - $5 * interval '1 ms'
    AND visit.end_time + $6 * interval '1 ms'
  LIMIT 1`;

/** A notice stands for the visit in which it was sent. */
const claimNoticeSql = `
  UPDATE notification SET visit_id = $2 WHERE id = (
    SELECT id FROM notification WHERE species_key = $1 AND visit_id IS NULL AND about BETWEEN $3 AND $4
    ORDER BY about LIMIT 1)`;

const recentSql = 'SELECT FROM notification WHERE species_key = $1 AND created_at > $2 LIMIT 1';

const insertSql = `
  WITH expired AS (DELETE FROM notification WHERE created_at < $8::timestamptz - interval '30 days'),
  added AS (
    INSERT INTO notification (message_key, species_key, visit_id, about, message, expires_at, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $8) RETURNING id)
  INSERT INTO push_delivery (notification_id, channel, target, next_attempt_at, created_at)
  SELECT id, channel, target, $8, $8 FROM added, json_to_recordset($7) AS of_message (channel text, target text)`;

/**
 * Stores a notification with a delivery per target, unless there was one of this visit, or of this species within the
 * cooldown. Returns whether it was stored. A lock per species serialises concurrent calls.
 */
export async function addNotification(
  pool: pg.Pool,
  notification: Notification,
  targets: readonly Target[],
  limits: NotificationLimits,
): Promise<boolean> {
  const { message, speciesKey, from, expiresAt } = notification;
  return inTransaction(pool, async (client) => {
    await client.query(lockSql, [speciesKey]);
    if (await isSuppressed(client, notification, limits)) return false;
    await client.query(insertSql, [
      message.key,
      speciesKey,
      message.visitId,
      new Date(from),
      JSON.stringify(message),
      new Date(expiresAt),
      JSON.stringify(targets),
      new Date(limits.now),
    ]);
    return true;
  });
}

async function isSuppressed(
  client: pg.ClientBase,
  { message: { key, visitId }, speciesKey, from, to }: Notification,
  { now, cooldownMs, gapMs }: NotificationLimits,
): Promise<boolean> {
  const hasRow = async (text: string, values: unknown[]) =>
    ((await client.query(text, values)).rowCount ?? 0) > 0;
  const endSlackMs = gapMs + clockSlackMs;
  const duplicate = [key, visitId, speciesKey, new Date(from), clockSlackMs, endSlackMs];
  if (await hasRow(duplicateSql, duplicate)) return true;
  const span = [new Date(from - clockSlackMs), new Date(to + endSlackMs)];
  if (visitId !== null && (await hasRow(claimNoticeSql, [speciesKey, visitId, ...span]))) return true;
  return hasRow(recentSql, [speciesKey, new Date(now - cooldownMs)]);
}

/** A delivery that is claimed by one process. */
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

/** The state of a delivery after an attempt. */
export interface Settlement {
  readonly state: 'pending' | 'sent' | 'failed' | 'gone';
  readonly error: string | null;
  /** ms since the epoch */
  readonly nextAttemptAt: number;
}

/** Longer than an attempt takes. */
const leaseMs = 60_000;

const claimDeliverySql = `
  UPDATE push_delivery SET state = 'sending', attempts = attempts + 1, next_attempt_at = $2
  FROM notification
  WHERE notification.id = notification_id AND push_delivery.id = (
    SELECT id FROM push_delivery WHERE channel = $3 AND state = 'pending' AND next_attempt_at <= $1
    ORDER BY attempts, next_attempt_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING push_delivery.id, channel, target, message, attempts,
    (extract(epoch FROM expires_at) * 1000)::bigint AS "expiresAt"`;

/**
 * Claims the due delivery of a channel with the fewest attempts, then the oldest. It is not attempted again unless it
 * is settled as pending.
 */
export async function claimDelivery(
  pool: pg.Pool,
  channel: ChannelName,
  now: number,
): Promise<Delivery | undefined> {
  const { rows } = await pool.query<Delivery>(claimDeliverySql, [
    new Date(now),
    new Date(now + leaseMs),
    channel,
  ]);
  return rows[0];
}

/** Stores the state of a delivery; does nothing when its notification was deleted. */
export async function settleDelivery(
  { pushDelivery }: PrismaClient,
  id: number,
  { state, error, nextAttemptAt }: Settlement,
): Promise<void> {
  const data = { state, error, nextAttemptAt: new Date(nextAttemptAt) };
  await pushDelivery.updateMany({ where: { id }, data });
}

/** Returns deliveries with an id below one, newest first, each with its message. */
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
 * Fails deliveries whose process ended in the middle of an attempt. Returns when the next delivery of the channel is
 * due, in ms since the epoch; undefined when there is none. Plain SQL, as an idle hub polls with it.
 */
export async function expireDeliveries(
  pool: pg.Pool,
  channel: ChannelName,
  now: number,
): Promise<number | undefined> {
  await pool.query(abandonSql, [new Date(now)]);
  const { rows } = await pool.query<{ next: Date | null }>(nextSql, [channel]);
  return rows[0]?.next?.getTime();
}

/** What a notification says of a visit. */
export interface VisitDetails {
  readonly speciesName: string;
  /** ms since the epoch */
  readonly start: number;
  readonly end: number;
  readonly imageUrl: string | null;
  /**
   * The detection whose picture is shown: the best one by video, of a visit that was only heard the best by sound. Null
   * while there is no file to make it from.
   */
  readonly detectionId: number | null;
}

const visitSql = `
  SELECT name, visit.start_time, visit.end_time, image_url, (
    SELECT detection.id FROM detection JOIN video ON video.id = video_id
    WHERE visit_id = visit.id AND media = 'ready'
    ORDER BY source = 'video' DESC, confidence DESC, detection.id LIMIT 1
  ) AS detection_id
  FROM species_visit visit JOIN species ON species.id = species_id WHERE visit.id = $1`;

interface VisitRow {
  readonly name: string;
  readonly start_time: Date;
  readonly end_time: Date;
  readonly image_url: string | null;
  readonly detection_id: number | null;
}

/** Returns undefined when the visit was deleted. */
export async function findVisitDetails(pool: pg.Pool, visitId: number): Promise<VisitDetails | undefined> {
  const query = { name: 'notification-visit', text: visitSql, values: [visitId] };
  const [row] = (await pool.query<VisitRow>(query)).rows;
  if (!row) return undefined;
  const { name, start_time, end_time, image_url, detection_id } = row;
  return {
    speciesName: name,
    start: start_time.getTime(),
    end: end_time.getTime(),
    imageUrl: image_url,
    detectionId: detection_id,
  };
}

/** Returns the address of a species' picture. */
export async function findSpeciesPicture(prisma: PrismaClient, speciesId: number): Promise<string | null> {
  const select = { imageUrl: true };
  return (await prisma.species.findUnique({ where: { id: speciesId }, select }))?.imageUrl ?? null;
}

/** Returns the picture that a processor sent with a notice, as long as it is kept. */
export async function findNoticePicture(
  prisma: PrismaClient,
  noticeId: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const select = { image: true };
  return (
    (await prisma.detectionNotice.findUnique({ where: { id: Number(noticeId) }, select }))?.image ?? undefined
  );
}
