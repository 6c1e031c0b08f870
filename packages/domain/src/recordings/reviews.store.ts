import { msSql } from '@birdhub/shared/time';
import type pg from 'pg';
import type { HubActivityType } from '../activity/activity-types.js';
import { type MediaKind, mediaKindSql } from '../media/recording-path.js';
import type { WriterScope } from '../visits/maintain.js';
import type { StoredDetection } from '../visits/plan.js';

/** Which detections a correction applies to: the track (or the single row), or the whole visit. */
export const correctionScopes = ['single_track', 'visit'] as const;

/** One of {@link correctionScopes}. */
export type CorrectionScope = (typeof correctionScopes)[number];

/** A detection under review, the key of its recording, and the span of its visit. */
export interface ReviewedDetection extends StoredDetection {
  readonly videoId: number;
  readonly videoPath: string;
  readonly mediaKind: MediaKind | null;
  readonly visitStart: number;
  readonly visitEnd: number;
  /** RFC 3339; null without a review. */
  readonly reviewedAt: string | null;
}

/** The columns of {@link ReviewedDetection} in a statement on `detection`, `video` and `visit`. */
export const reviewedColumns = `
  detection.id, detection.species_id AS "speciesId", detection.visit_id AS "visitId", detection.source,
  ${msSql('detection.start_time')} AS start, ${msSql('detection.end_time')} AS "end",
  video.camera_id AS "cameraId", video.id AS "videoId", video.video_path AS "videoPath", ${mediaKindSql('video')} AS "mediaKind",
  ${msSql('visit.start_time')} AS "visitStart", ${msSql('visit.end_time')} AS "visitEnd",
  to_json(detection.reviewed_at) #>> '{}' AS "reviewedAt"`;

/** The joins that {@link reviewedColumns} require. */
export const reviewedJoins = `
  JOIN video ON video.id = detection.video_id JOIN species_visit visit ON visit.id = detection.visit_id`;

const scopeSql: Record<CorrectionScope, string> = {
  single_track: `detection.video_id = chosen.video_id AND (detection.id = chosen.id
    OR (detection.source = chosen.source AND detection.track_id = chosen.track_id))`,
  visit: 'detection.visit_id = chosen.visit_id',
};

/** Lists the detections that a review of one detection covers. */
export async function listInScope(
  client: pg.ClientBase | pg.Pool,
  detectionId: number,
  scope: CorrectionScope,
): Promise<ReviewedDetection[]> {
  const { rows } = await client.query<ReviewedDetection>(
    `SELECT ${reviewedColumns}
     FROM detection chosen JOIN detection ON ${scopeSql[scope]} ${reviewedJoins}
     WHERE chosen.id = $1 ORDER BY detection.id`,
    [detectionId],
  );
  return rows;
}

/** Finds the species and visit of a detection. */
export async function findPlace(
  client: pg.ClientBase | pg.Pool,
  detectionId: number,
): Promise<{ speciesId: number; visitId: number } | undefined> {
  const { rows } = await client.query<{ speciesId: number; visitId: number }>(
    `SELECT species_id AS "speciesId", visit_id AS "visitId" FROM detection WHERE id = $1`,
    [detectionId],
  );
  return rows[0];
}

/** The new state of a detection; without a visit it stays in its own. */
export interface VerdictRow {
  readonly id: number;
  readonly species_id: number;
  readonly visit_id: number | undefined;
  readonly reviewed_at: string | null;
}

/**
 * Writes verdicts; the species reported by the processor is kept in `original_species_id`. Without a review in the hub
 * that of the program that posted the detection applies.
 */
export function writeVerdicts({ client, send }: WriterScope, verdicts: readonly VerdictRow[]): void {
  const statement = `
    UPDATE detection SET species_id = verdict.species_id, visit_id = coalesce(verdict.visit_id, detection.visit_id),
      reviewed = verdict.reviewed_at IS NOT NULL OR posted_reviewed, reviewed_at = verdict.reviewed_at,
      original_species_id = nullif(coalesce(original_species_id, detection.species_id), verdict.species_id)
    FROM json_to_recordset($1) AS verdict (id bigint, species_id int, visit_id bigint, reviewed_at timestamptz)
    WHERE detection.id = verdict.id`;
  send(client.query(statement, [JSON.stringify(verdicts)]));
}

/** A correction or confirmation, with its row of the activity log. */
export interface CorrectionRecord {
  readonly detectionId: number;
  /** Undefined for a confirmation. */
  readonly toSpeciesId: number | undefined;
  readonly scope: CorrectionScope;
  readonly role: string;
  /** The changed detections in their previous state. */
  readonly before: readonly ReviewedDetection[];
  readonly activity: { readonly type: HubActivityType; readonly data: object };
}

/** Stores a correction, so that it can be reverted. */
export function writeCorrection({ client, send }: WriterScope, record: CorrectionRecord): void {
  const { detectionId, toSpeciesId, scope, role, before, activity } = record;
  const rows = before.map(({ id, videoId, speciesId, reviewedAt }) => ({
    detection_id: id,
    video_id: videoId,
    species_id: speciesId,
    reviewed_at: reviewedAt,
  }));
  const statement = `
    WITH made AS (
      INSERT INTO correction (detection_id, to_species_id, apply_scope, updated_count, by_role)
      VALUES ($1, $2, $3, json_array_length($5), $4) RETURNING id),
    logged AS (INSERT INTO activity_log (type, data) VALUES ($6, $7::jsonb))
    INSERT INTO correction_detection (correction_id, detection_id, video_id, species_id, reviewed_at)
    SELECT made.id, detection_id, video_id, species_id, reviewed_at
    FROM made, json_to_recordset($5) AS before (
      detection_id bigint, video_id bigint, species_id int, reviewed_at timestamptz)`;
  const { type, data } = activity;
  const values = [
    detectionId,
    toSpeciesId ?? null,
    scope,
    role,
    JSON.stringify(rows),
    type,
    JSON.stringify(data),
  ];
  send(client.query(statement, values));
}

/** A detection after its last correction, with its previous state. */
export interface RevertibleDetection extends ReviewedDetection {
  readonly correctionId: number;
  readonly speciesBefore: number;
  /** RFC 3339; null without a review. */
  readonly reviewedBefore: string | null;
}

/** Detections without an earlier review return to the processor's species; a merged species counts as its target. */
const revertibleSql = `
  WITH last AS (
    SELECT max(correction_id) AS id FROM correction_detection WHERE detection_id = $1 AND reverted_at IS NULL)
  SELECT ${reviewedColumns}, before.correction_id AS "correctionId",
    coalesce(was.merged_into, was.id) AS "speciesBefore", to_json(before.reviewed_at) #>> '{}' AS "reviewedBefore"
  FROM last JOIN correction_detection before ON before.correction_id = last.id AND before.reverted_at IS NULL
  JOIN detection ON detection.id = before.detection_id ${reviewedJoins}
  JOIN species was ON was.id = CASE WHEN before.reviewed_at IS NOT NULL THEN before.species_id
    ELSE coalesce(detection.original_species_id, detection.species_id) END
  WHERE NOT EXISTS (
    SELECT FROM correction_detection later WHERE later.detection_id = before.detection_id
      AND later.correction_id > last.id AND later.reverted_at IS NULL)
  ORDER BY detection.id`;

/** Lists the detections of the last correction of a detection, except those that later corrections changed. */
export async function listRevertible(
  client: pg.ClientBase | pg.Pool,
  detectionId: number,
): Promise<RevertibleDetection[]> {
  const { rows } = await client.query<RevertibleDetection>(revertibleSql, [detectionId]);
  return rows;
}

/** Marks a correction as reverted and logs it, also for detections that no longer exist. */
export function writeReversion(
  { client, send }: WriterScope,
  correctionId: number,
  detectionIds: readonly number[],
  activity: object,
): void {
  const statement = `
    WITH logged AS (INSERT INTO activity_log (type, data) VALUES ('correction_reverted', $3::jsonb))
    UPDATE correction_detection SET reverted_at = now()
    WHERE correction_id = $1 AND reverted_at IS NULL AND (detection_id = ANY ($2::bigint[])
      OR NOT EXISTS (SELECT FROM detection WHERE id = detection_id))`;
  send(client.query(statement, [correctionId, detectionIds, JSON.stringify(activity)]));
}

interface MarkedRecording {
  readonly isStored: boolean;
  readonly isDeleted: boolean;
  readonly isChanged: boolean;
  /** Span of the recording and its visits, in ms. */
  readonly start: number;
  readonly end: number;
}

const markSql = `
  WITH marked AS (
    UPDATE video SET favorite = $2, updated_at = now() WHERE id = $1 AND favorite <> $2 RETURNING id)
  SELECT video.id IS NOT NULL AS "isStored", EXISTS (SELECT FROM deleted_video WHERE id = $1) AS "isDeleted",
    EXISTS (SELECT FROM marked) AS "isChanged",
    ${msSql('least(video.start_time, min(visit.start_time))')} AS start,
    ${msSql('greatest(video.end_time, max(visit.end_time))')} AS "end"
  FROM (SELECT 1) asked LEFT JOIN video ON video.id = $1
    LEFT JOIN detection ON detection.video_id = video.id LEFT JOIN species_visit visit ON visit.id = visit_id
  GROUP BY video.id`;

/** Sets whether a recording is a favourite; returns whether that changed anything. */
export async function markFavoriteRow(
  client: pg.ClientBase,
  videoId: number,
  isFavorite: boolean,
): Promise<MarkedRecording | undefined> {
  const { rows } = await client.query<MarkedRecording>(markSql, [videoId, isFavorite]);
  return rows[0];
}
