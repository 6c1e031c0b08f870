import type pg from 'pg';

const named = (species: string) => `json_build_object('id', ${species}.id, 'name', ${species}.name)`;

const chosenFirst = 'ORDER BY detection.id <> correction.detection_id, detection.id';

/** A correction that no detection is left of is not listed: there is nothing to see of it, nor to take back. */
const recentSql = `
  SELECT coalesce(json_agg(item ORDER BY id DESC), '[]')::text AS body FROM (
    SELECT correction.id, CASE WHEN to_species_id IS NULL THEN 'confirmation' ELSE 'correction' END AS kind,
      detection_id_left AS detection_id, video_id_left AS video_id,
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

/** The JSON of what people last said of detections, newest first. */
export async function listRecentCorrections(pool: pg.Pool, limit: number): Promise<string> {
  const { rows } = await pool.query<{ body: string }>({
    name: 'recent-corrections',
    text: recentSql,
    values: [limit],
  });
  return rows[0]?.body ?? '[]';
}
