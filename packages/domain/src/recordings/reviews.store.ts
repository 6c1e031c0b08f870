import type pg from 'pg';
import type { WriterScope } from '../visits/maintain-visits.js';
import type { StoredDetection } from '../visits/visit-state.js';

/** Which detections a correction is for: the track (or the lone row), or the whole visit. */
export const correctionScopes = ['single_track', 'visit'] as const;

/** One of {@link correctionScopes}. */
export type CorrectionScope = (typeof correctionScopes)[number];

/** A detection that a person looks at, the key of its recording, and how far its visit reaches. */
export interface ReviewedDetection extends StoredDetection {
  readonly videoId: number;
  readonly videoPath: string;
  readonly visitStart: number;
  readonly visitEnd: number;
  /** RFC 3339; null for one that nobody has looked at. */
  readonly reviewedAt: string | null;
}

const msOf = (column: string) => `(extract(epoch FROM ${column}) * 1000)::bigint`;

/** The columns of {@link ReviewedDetection}, of a statement over `detection`, `video` and `visit`. */
export const reviewedColumns = `
  detection.id, detection.species_id AS "speciesId", detection.visit_id AS "visitId", detection.source,
  ${msOf('detection.start_time')} AS start, ${msOf('detection.end_time')} AS "end",
  video.camera_id AS "cameraId", video.id AS "videoId", video.video_path AS "videoPath",
  ${msOf('visit.start_time')} AS "visitStart", ${msOf('visit.end_time')} AS "visitEnd",
  to_json(detection.reviewed_at) #>> '{}' AS "reviewedAt"`;

/** Joins what {@link reviewedColumns} need to `detection`. */
export const reviewedJoins = `
  JOIN video ON video.id = detection.video_id JOIN species_visit visit ON visit.id = detection.visit_id`;

const scopeSql: Record<CorrectionScope, string> = {
  single_track: `detection.video_id = chosen.video_id AND (detection.id = chosen.id
    OR (detection.source = chosen.source AND detection.track_id = chosen.track_id))`,
  visit: 'detection.visit_id = chosen.visit_id',
};

/** The detections that a person's word on one of them is for. */
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

/** What a detection is now; undefined when there is none. */
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

/** What a detection becomes; without a visit it stays in the one it is in. */
export interface VerdictRow {
  readonly id: number;
  readonly species_id: number;
  readonly visit_id: number | undefined;
  readonly reviewed_at: string | null;
}

/** Writes what detections are from now on, with the processor's species kept. */
export function writeVerdicts({ client, send }: WriterScope, verdicts: readonly VerdictRow[]): void {
  const statement = `
    UPDATE detection SET species_id = verdict.species_id, visit_id = coalesce(verdict.visit_id, detection.visit_id),
      reviewed = verdict.reviewed_at IS NOT NULL, reviewed_at = verdict.reviewed_at,
      original_species_id = nullif(coalesce(original_species_id, detection.species_id), verdict.species_id)
    FROM json_to_recordset($1) AS verdict (id bigint, species_id int, visit_id bigint, reviewed_at timestamptz)
    WHERE detection.id = verdict.id`;
  send(client.query(statement, [JSON.stringify(verdicts)]));
}
