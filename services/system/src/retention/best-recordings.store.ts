import type pg from 'pg';

/** A person's word outweighs any confidence, which is at most 1. */
const bestSql = `
  SELECT DISTINCT video_id AS id FROM (
    SELECT video_id, row_number() OVER (
      PARTITION BY species_id ORDER BY max(confidence + CASE WHEN reviewed THEN 2 ELSE 0 END) DESC, video_id) AS place
    FROM detection JOIN species ON species.id = species_id AND NOT generic
      JOIN video ON video.id = video_id AND media IN ('pending', 'ready')
    GROUP BY species_id, video_id
  ) ranked WHERE place <= $1`;

/** The recordings with a file of the best detections of each species: reviewed ones first, then by confidence. */
export async function listBestRecordings(pool: pg.Pool, perSpecies: number): Promise<ReadonlySet<number>> {
  if (perSpecies === 0) return new Set();
  const { rows } = await pool.query<{ id: number }>(bestSql, [perSpecies]);
  return new Set(rows.map((row) => row.id));
}
