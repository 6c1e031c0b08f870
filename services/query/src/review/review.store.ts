import { mediaKindSql } from '@birdhub/domain/media';
import { maxReachSql } from '@birdhub/domain/recordings';
import { HubError } from '@birdhub/shared/errors';
import type { TimeWindow } from '@birdhub/shared/time';
import type pg from 'pg';

/** A query for doubtful detections. */
export interface UnknownsSearch {
  readonly window: TimeWindow;
  /** Detections below this confidence are doubtful. */
  readonly threshold: number;
  readonly limit: number;
  /** Prefix of the paths of pictures. */
  readonly prefix: string;
}

const kindOfVideo = (videoId: string) =>
  `(SELECT ${mediaKindSql('video')} FROM video WHERE video.id = ${videoId}) AS media_kind`;

/**
 * Parameters: window start and end, threshold, limit, prefix. Doubtful detections are found by the index of unreviewed
 * ones, backwards from the end of the window.
 */
export const unknownsSql = `
  WITH doubtful AS MATERIALIZED (
    SELECT id FROM detection
    WHERE NOT reviewed AND start_time >= $1::timestamptz - ${maxReachSql} AND start_time < $2
      AND end_time >= $1 AND (confidence < $3 OR species_id = ANY (ARRAY(SELECT id FROM species WHERE generic)))
    ORDER BY start_time DESC, id DESC LIMIT $4
  )
  SELECT coalesce(json_agg(item ORDER BY start_time DESC, id DESC), '[]')::text AS body FROM (
    SELECT detection.id, video_id, ${kindOfVideo('video_id')}, detection.species_id, name AS species_name, confidence,
      detection.start_time, end_time, source, detection_provider, plumage, image_url,
      $5 || '/api/ui/detections/' || detection.id || '/crop' AS crop_url,
      CASE WHEN source = 'video' THEN thumbhash END AS thumbhash,
      CASE WHEN generic THEN 'generic_species' ELSE 'low_confidence' END AS review_reason
    FROM doubtful JOIN detection USING (id) JOIN species ON species.id = detection.species_id
      LEFT JOIN detection_picture ON detection_id = detection.id
  ) item`;

/** Returns the JSON of the detections of a window that need a review, newest first. */
export async function listUnknowns(pool: pg.Pool, search: UnknownsSearch): Promise<string> {
  const { window, threshold, limit, prefix } = search;
  const values = [new Date(window.start), new Date(window.end), threshold, limit, prefix];
  const { rows } = await pool.query<{ body: string }>({ name: 'unknowns', text: unknownsSql, values });
  return rows[0]?.body ?? '[]';
}

const detectionSql = `
  SELECT row_to_json(item)::text AS body FROM (
    SELECT detection.id, video_id, ${kindOfVideo('video_id')}, visit_id, species_id, name AS species_name, start_time
    FROM detection JOIN species ON species.id = species_id WHERE detection.id = $1
  ) item`;

/** Returns the JSON of a detection. @throws HubError detection_not_found */
export async function readDetection(pool: pg.Pool, id: number): Promise<string> {
  const { rows } = await pool.query<{ body: string }>({
    name: 'detection',
    text: detectionSql,
    values: [id],
  });
  const [row] = rows;
  if (!row) throw new HubError('detection_not_found');
  return row.body;
}

const named = (species: string) => `json_build_object('id', ${species}.id, 'name', ${species}.name)`;

const chosenFirst = 'ORDER BY detection.id <> correction.detection_id, detection.id';

/** Corrections whose detections no longer exist are not listed, as they cannot be shown or reverted. */
const recentSql = `
  SELECT coalesce(json_agg(item ORDER BY id DESC), '[]')::text AS body FROM (
    SELECT correction.id, CASE WHEN to_species_id IS NULL THEN 'confirmation' ELSE 'correction' END AS kind,
      detection_id_left AS detection_id, video_id_left AS video_id, ${kindOfVideo('video_id_left')},
      (SELECT coalesce(json_agg(${named('species')} ORDER BY name), '[]') FROM species
       WHERE id IS DISTINCT FROM to_species_id
         AND id IN (SELECT species_id FROM correction_detection WHERE correction_id = correction.id)) AS "from",
      (SELECT ${named('species')} FROM species WHERE id = to_species_id) AS "to",
      updated_count, apply_scope, corrected_at, reverted_at, by_role AS by
    FROM correction CROSS JOIN LATERAL (
      SELECT (array_agg(detection.id ${chosenFirst}))[1] AS detection_id_left,
        (array_agg(detection.video_id ${chosenFirst}))[1] AS video_id_left,
        CASE WHEN bool_and(reverted_at IS NOT NULL) THEN max(reverted_at) END AS reverted_at
      FROM correction_detection JOIN detection ON detection.id = detection_id
      WHERE correction_id = correction.id HAVING count(*) > 0) standing
    ORDER BY correction.id DESC LIMIT $1
  ) item`;

/** Returns the JSON of the latest corrections, newest first. */
export async function listRecentCorrections(pool: pg.Pool, limit: number): Promise<string> {
  const { rows } = await pool.query<{ body: string }>({
    name: 'recent-corrections',
    text: recentSql,
    values: [limit],
  });
  return rows[0]?.body ?? '[]';
}
