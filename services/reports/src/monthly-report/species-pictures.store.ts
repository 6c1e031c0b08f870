import type { TimeWindow } from '@birdhub/shared/time';
import type pg from 'pg';

/** A detection that may have a picture. */
export interface PictureCandidate {
  readonly speciesId: number;
  readonly videoId: number;
  readonly detectionId: number;
}

const newestVisits = 100;
const candidates = 12;

/** Parameters: start and end of the period, species. Only the newest visits are looked at: there may be thousands. */
const text = `
  SELECT species_id AS "speciesId", video_id AS "videoId", detection_id AS "detectionId"
  FROM unnest($3::integer[]) WITH ORDINALITY kind (species_id, place) CROSS JOIN LATERAL (
    SELECT detection.id AS detection_id, video_id, reviewed, confidence FROM (
      SELECT id FROM species_visit visit
      WHERE visit.species_id = kind.species_id AND start_time >= $1 AND start_time < $2
      ORDER BY start_time DESC LIMIT ${newestVisits}
    ) visit JOIN detection ON visit_id = visit.id
    WHERE source = 'video' ORDER BY reviewed DESC, confidence DESC, detection.id LIMIT ${candidates}
  ) best ORDER BY place, reviewed DESC, confidence DESC, detection_id`;

/** The detections of species in a period that are most likely to have good pictures, the best of each first. */
export async function listPictureCandidates(
  pool: pg.Pool,
  speciesIds: readonly number[],
  { start, end }: TimeWindow,
): Promise<PictureCandidate[]> {
  const values = [new Date(start), new Date(end), speciesIds];
  const { rows } = await pool.query<PictureCandidate>({ name: 'report-pictures', text, values });
  return rows;
}
