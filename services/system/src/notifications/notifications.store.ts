import { hashedKey, inTransaction, lockPrefixes, type PrismaClient } from '@birdhub/shared/db';
import type pg from 'pg';
import { enqueueDeliveries, type Message } from '../channels/index.js';

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
  WITH expired AS (DELETE FROM notification WHERE created_at < $7::timestamptz - interval '30 days')
  INSERT INTO notification (message_key, species_key, visit_id, about, message, expires_at, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`;

/**
 * Stores a notification with its deliveries, unless there was one of this visit, or of this species within the
 * cooldown. Returns whether it was stored. A lock per species serialises concurrent calls.
 */
export async function addNotification(
  pool: pg.Pool,
  notification: Notification,
  limits: NotificationLimits,
): Promise<boolean> {
  const { message, speciesKey, from, expiresAt } = notification;
  return inTransaction(pool, async (client) => {
    await client.query(lockSql, [speciesKey]);
    if (await isSuppressed(client, notification, limits)) return false;
    const { rows } = await client.query<{ id: number }>(insertSql, [
      message.key,
      speciesKey,
      message.visitId,
      new Date(from),
      JSON.stringify(message),
      new Date(expiresAt),
      new Date(limits.now),
    ]);
    const [row] = rows;
    if (!row) throw new Error('the database returned no id of a notification');
    await enqueueDeliveries(client, { notificationId: row.id, channelIds: 'all', now: limits.now });
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
