import type pg from 'pg';

/** The address of a picture that the hub cut itself; `prefix` is the path below which it answers. */
const cropUrl = (prefix: string, detectionId: string) =>
  `${prefix} || '/api/ui/detections/' || ${detectionId} || '/crop'`;

/** Whether a picture is one that the hub cut itself. */
export const isOwnPicture = (imageUrl: string) => `${imageUrl} ~ '/api/ui/detections/[0-9]+/crop$'`;

const newestVisits = 300;

/** The best crop of a species among its newest visits: one that a person has looked at, else the surest. */
const bestDetection = `
  SELECT detection.id
  FROM (
    SELECT id FROM species_visit WHERE species_id = wanted.id ORDER BY start_time DESC LIMIT ${newestVisits}
  ) visit JOIN detection ON visit_id = visit.id JOIN video ON video.id = video_id
  WHERE detection.species_id = wanted.id AND source = 'video' AND media = 'ready'
  ORDER BY reviewed DESC, confidence DESC, detection.id DESC LIMIT 1`;

const chooseSql = `
  WITH wanted AS MATERIALIZED (
    SELECT id, image_url FROM species JOIN species_total ON species_id = id
    WHERE visits > 0 AND NOT generic AND merged_into IS NULL AND (image_url IS NULL OR (
      ${isOwnPicture('image_url')} AND NOT EXISTS (
        SELECT FROM detection JOIN video ON video.id = video_id
        WHERE detection.id = substring(image_url FROM '([0-9]+)/crop$')::bigint
          AND detection.species_id = species.id AND media = 'ready')))
  ), chosen AS (
    SELECT wanted.id, ${cropUrl('$1', 'best.id')} AS image_url
    FROM wanted LEFT JOIN LATERAL (${bestDetection}) best ON true
  )
  UPDATE species SET image_url = chosen.image_url FROM chosen
  WHERE species.id = chosen.id AND species.image_url IS DISTINCT FROM chosen.image_url`;

/**
 * Shows species that have no picture by the hub's own best crop, and lets go of crops whose video is gone. Answers
 * whether a species looks otherwise now.
 */
export async function chooseOwnPictures(pool: pg.Pool, prefix: string): Promise<boolean> {
  const { rowCount } = await pool.query(chooseSql, [prefix]);
  return (rowCount ?? 0) > 0;
}
