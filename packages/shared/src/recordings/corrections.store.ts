import type pg from 'pg';
import { insertOutbox, type OutboxRow } from '../outbox/index.js';
import type { StoredDetection } from '../visits/index.js';

/** Which detections a correction is for: the track (or the lone row), or the whole visit. */
export const correctionScopes = ['single_track', 'visit'] as const;

/** One of {@link correctionScopes}. */
export type CorrectionScope = (typeof correctionScopes)[number];

/** A detection that is corrected, and the key of its recording. */
export interface CorrectedDetection extends StoredDetection {
  readonly videoId: number;
  readonly videoPath: string;
}

const scopeSql: Record<CorrectionScope, string> = {
  single_track: `detection.video_id = chosen.video_id AND (detection.id = chosen.id
    OR (detection.source = chosen.source AND detection.track_id = chosen.track_id))`,
  visit: 'detection.visit_id = chosen.visit_id',
};

/** The detections that a correction of one of them is for. */
export async function listInScope(
  client: pg.ClientBase | pg.Pool,
  detectionId: number,
  scope: CorrectionScope,
): Promise<CorrectedDetection[]> {
  const { rows } = await client.query<CorrectedDetection>(
    `SELECT detection.id, detection.species_id AS "speciesId", detection.visit_id AS "visitId", detection.source,
       (extract(epoch FROM detection.start_time) * 1000)::bigint AS start,
       (extract(epoch FROM detection.end_time) * 1000)::bigint AS "end",
       video.camera_id AS "cameraId", video.id AS "videoId", video.video_path AS "videoPath"
     FROM detection chosen JOIN detection ON ${scopeSql[scope]} JOIN video ON video.id = detection.video_id
     WHERE chosen.id = $1 ORDER BY detection.id`,
    [detectionId],
  );
  return rows;
}

/** A detection's new visit. */
export interface NewPlace {
  readonly id: number;
  readonly visit_id: number;
}

/** Moves detections to a species, marked as reviewed with the processor's species kept, and tells of it. */
export async function writeCorrection(
  client: pg.ClientBase,
  speciesId: number,
  places: readonly NewPlace[],
  activity: object,
  events: readonly OutboxRow[],
): Promise<void> {
  await client.query(
    `WITH moved AS (
       UPDATE detection SET species_id = $1, visit_id = place.visit_id, reviewed = true, reviewed_at = now(),
         original_species_id = nullif(coalesce(original_species_id, species_id), $1)
       FROM json_to_recordset($2) AS place (id bigint, visit_id bigint) WHERE detection.id = place.id),
     logged AS (INSERT INTO activity_log (type, data) VALUES ('species_correction', $3::jsonb))
     ${insertOutbox('$4')}`,
    [speciesId, JSON.stringify(places), JSON.stringify(activity), JSON.stringify(events)],
  );
}
