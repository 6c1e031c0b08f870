import type pg from 'pg';
import { visitJson } from './neighbourhood.store.js';
import type { StoredDetection, StoredVisit } from './visit-state.js';

const page = 5_000;

/** The visits of a species in order, a page at once; those that are read may be changed meanwhile. */
export async function* readVisits(client: pg.ClientBase, speciesId: number): AsyncGenerator<StoredVisit[]> {
  let after = '-infinity';
  for (;;) {
    const { rows } = await client.query<{ visit: StoredVisit; start: string }>(
      `SELECT ${visitJson('visit')} AS visit, to_json(start_time) #>> '{}' AS start FROM species_visit visit
       WHERE species_id = $1 AND start_time > $2 ORDER BY start_time LIMIT ${page}`,
      [speciesId, after],
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => row.visit);
    after = last.start;
  }
}

/** Visits of a species that are no farther apart than the gap, as they are when two species have become one. */
export async function listCloseVisits(client: pg.ClientBase, speciesId: number): Promise<StoredVisit[][]> {
  const { rows } = await client.query<{ visits: StoredVisit[] }>(
    `WITH ordered AS (
       SELECT *, start_time > gap_ms * interval '1 ms' + max(end_time) OVER (
         ORDER BY start_time, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS is_apart
       FROM species_visit, (SELECT gap_ms FROM visit_rule) rule WHERE species_id = $1),
     grouped AS (SELECT *, count(*) FILTER (WHERE is_apart) OVER (ORDER BY start_time, id) AS number FROM ordered)
     SELECT json_agg(${visitJson('visit')} ORDER BY start_time, id) AS visits
     FROM grouped visit GROUP BY number HAVING count(*) > 1 ORDER BY number`,
    [speciesId],
  );
  return rows.map((row) => row.visits);
}

/** All detections of some visits. */
export async function listMembers(
  client: pg.ClientBase,
  visitIds: readonly number[],
): Promise<StoredDetection[]> {
  const { rows } = await client.query<StoredDetection>(
    `SELECT detection.id, species_id AS "speciesId", visit_id AS "visitId", source, camera_id AS "cameraId",
       (extract(epoch FROM detection.start_time) * 1000)::bigint AS start,
       (extract(epoch FROM detection.end_time) * 1000)::bigint AS "end"
     FROM detection JOIN video ON video.id = video_id WHERE visit_id = ANY ($1)`,
    [visitIds],
  );
  return rows;
}

/** Gives detections alone to another species. */
export async function giveDetections(
  client: pg.ClientBase,
  detectionIds: readonly number[],
  speciesId: number,
): Promise<void> {
  await client.query('UPDATE detection SET species_id = $2 WHERE id = ANY ($1)', [detectionIds, speciesId]);
}

/** Gives visits with all their detections to another species. */
export async function giveVisits(
  client: pg.ClientBase,
  visitIds: readonly number[],
  speciesId: number,
): Promise<void> {
  await client.query(
    `WITH given AS (UPDATE species_visit SET species_id = $2 WHERE id = ANY ($1))
     UPDATE detection SET species_id = $2 WHERE visit_id = ANY ($1)`,
    [visitIds, speciesId],
  );
}
