import type { PrismaClient } from '@birdhub/shared/db';
import type pg from 'pg';
import type { ChannelName, Message } from './channels.js';
import type { CorrectedVisit } from './message.js';

/** A recipient of a message. */
export interface Target {
  readonly channel: ChannelName;
  readonly target: string;
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

/** What rules and messages need of a visit. */
export interface VisitDetails {
  readonly speciesId: number;
  readonly speciesName: string;
  readonly scientificName: string | null;
  /** ms since the epoch */
  readonly start: number;
  readonly end: number;
  /** Birds at once. */
  readonly count: number;
  readonly imageUrl: string | null;
  /**
   * The detection whose picture is shown: the best one by video, of a visit that was only heard the best by sound. Null
   * while there is no file to make it from.
   */
  readonly detectionId: number | null;
  /** Of the recording that started it; null when that was deleted, or names no camera. */
  readonly cameraId: string | null;
  /** The source that brought the recording. */
  readonly sourceId: number | null;
  readonly sourceName: string | null;
  /** Of the best detection in that recording. */
  readonly confidence: number | null;
}

const visitSql = `
  SELECT species_id AS "speciesId", name AS "speciesName", scientific_name AS "scientificName", visit.start_time AS start,
    visit.end_time AS end, max_simultaneous AS count, image_url AS "imageUrl", (
      SELECT detection.id FROM detection JOIN video ON video.id = video_id
      WHERE visit_id = visit.id AND media = 'ready'
      ORDER BY source = 'video' DESC, confidence DESC, detection.id LIMIT 1
    ) AS "detectionId", (SELECT nullif(camera_id, '') FROM video WHERE id = $2) AS "cameraId",
    (SELECT max(confidence) FROM detection WHERE video_id = $2 AND visit_id = visit.id) AS confidence,
    origin."sourceId", origin."sourceName"
  FROM species_visit visit JOIN species ON species.id = species_id
  LEFT JOIN LATERAL (
    SELECT source.id AS "sourceId", source.name AS "sourceName" FROM source_event JOIN source ON source.id = source_id
    WHERE video_id = $2 LIMIT 1
  ) origin ON true
  WHERE visit.id = $1`;

type VisitRow = Omit<VisitDetails, 'start' | 'end'> & { readonly start: Date; readonly end: Date };

/** Returns a visit and the recording that started it; undefined when the visit was deleted. */
export async function findVisitDetails(
  pool: pg.Pool,
  visitId: number,
  videoId: number,
): Promise<VisitDetails | undefined> {
  const query = { name: 'notification-visit', text: visitSql, values: [visitId, videoId] };
  const [row] = (await pool.query<VisitRow>(query)).rows;
  return row && { ...row, start: row.start.getTime(), end: row.end.getTime() };
}

const correctedSql = `
  SELECT name AS "speciesName", visit_id AS "visitId", video_id AS "videoId", detection.id AS "detectionId"
  FROM species LEFT JOIN detection ON detection.species_id = species.id AND detection.id = ANY ($2)
  WHERE species.id = $1 ORDER BY confidence DESC NULLS LAST, detection.id LIMIT 1`;

/** Returns the visit and the best of detections that were corrected to a species; undefined without that species. */
export async function findCorrected(
  pool: pg.Pool,
  speciesId: number,
  detectionIds: readonly number[],
): Promise<CorrectedVisit | undefined> {
  return (await pool.query<CorrectedVisit>(correctedSql, [speciesId, detectionIds])).rows[0];
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
