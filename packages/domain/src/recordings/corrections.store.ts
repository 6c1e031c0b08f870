import type pg from 'pg';
import type { HubActivityType } from '../activity/index.js';
import type { WriterScope } from '../visits/maintain-visits.js';
import {
  type CorrectionScope,
  type ReviewedDetection,
  reviewedColumns,
  reviewedJoins,
} from './reviews.store.js';

/** A correction or confirmation, and a row of the activity log that tells of it. */
export interface CorrectionRecord {
  readonly detectionId: number;
  /** Undefined for a confirmation. */
  readonly toSpeciesId: number | undefined;
  readonly scope: CorrectionScope;
  readonly role: string;
  /** What it changed, as it was before. */
  readonly before: readonly ReviewedDetection[];
  readonly activity: { readonly type: HubActivityType; readonly data: object };
}

/** Keeps a correction, so that it can be taken back. */
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

/** A detection as the last correction of it left it, and as it was before. */
export interface RevertibleDetection extends ReviewedDetection {
  readonly correctionId: number;
  readonly speciesBefore: number;
  /** RFC 3339; null when nobody had looked at it. */
  readonly reviewedBefore: string | null;
}

/**
 * A detection that nobody had looked at before becomes what the processor says of it today. A species that was merged
 * into another since is that other one.
 */
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

/** What there is to take back of the last correction of a detection: what is still as that left it. */
export async function listRevertible(
  client: pg.ClientBase | pg.Pool,
  detectionId: number,
): Promise<RevertibleDetection[]> {
  const { rows } = await client.query<RevertibleDetection>(revertibleSql, [detectionId]);
  return rows;
}

/** Marks a correction of detections as taken back, also of those that are gone, and logs it. */
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
