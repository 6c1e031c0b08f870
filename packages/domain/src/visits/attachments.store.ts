import type pg from 'pg';
import type { Interval } from './interval.js';
import { visitJson } from './neighbourhood.store.js';
import type { StoredVisit } from './visit-state.js';

function at(instant: number): string {
  if (Number.isFinite(instant)) return new Date(instant).toISOString();
  return instant < 0 ? '-infinity' : 'infinity';
}

/** A run that was only heard and belongs to the visit of a child species. */
export interface AttachedRow extends Interval {
  readonly speciesId: number;
  readonly hostId: number;
}

/** The attached runs of a species that share an instant with a span. */
export async function listAttached(
  client: pg.ClientBase,
  speciesId: number,
  span: Interval,
): Promise<AttachedRow[]> {
  const { rows } = await client.query<AttachedRow>(
    `SELECT species_id AS "speciesId", visit_id AS "hostId", (extract(epoch FROM start_time) * 1000)::bigint AS start,
       (extract(epoch FROM end_time) * 1000)::bigint AS "end"
     FROM attached_run WHERE species_id = $1 AND start_time <= $3 AND end_time >= $2 ORDER BY start_time`,
    [speciesId, at(span.start), at(span.end)],
  );
  return rows;
}

/** The visits of some species that share an instant with a span; of the heard ones alone when asked. */
export async function listVisitsNear(
  client: pg.ClientBase,
  speciesIds: readonly number[],
  span: Interval,
  onlyHeard = false,
): Promise<StoredVisit[]> {
  const { rows } = await client.query<{ visit: StoredVisit }>(
    `SELECT ${visitJson('visit')} AS visit
     FROM unnest($1::int[]) AS of_species (id), visits_near(of_species.id, $2, $3) AS visit
     WHERE NOT $4 OR visit.video_count = 0 ORDER BY visit.start_time, visit.species_id`,
    [speciesIds, at(span.start), at(span.end), onlyHeard],
  );
  return rows.map((row) => row.visit);
}

/** The heard visits of a species that have a visit of these children within the gap. */
export async function listHeardBeside(
  client: pg.ClientBase,
  speciesId: number,
  childIds: readonly number[],
): Promise<StoredVisit[]> {
  const { rows } = await client.query<{ visit: StoredVisit }>(
    `SELECT ${visitJson('heard')} AS visit
     FROM (SELECT gap_ms * interval '1 ms' AS gap FROM visit_rule) rule
     JOIN species_visit heard ON heard.species_id = $1 AND heard.video_count = 0
     WHERE EXISTS (
       SELECT FROM unnest($2::int[]) AS child (id), visits_near(child.id, heard.start_time - gap, heard.end_time + gap))
     ORDER BY heard.start_time`,
    [speciesId, childIds],
  );
  return rows.map((row) => row.visit);
}

/** Makes an attached run a visit of its own. Answers that visit, and the host as it is without it. */
export async function detachRun(
  client: pg.ClientBase,
  run: AttachedRow,
): Promise<{ visit: StoredVisit; host: StoredVisit }> {
  const { rows } = await client.query<{ visit: StoredVisit; host: StoredVisit }>(
    `WITH own AS MATERIALIZED (
       SELECT id FROM detection
       WHERE visit_id = $2 AND species_id = $1 AND start_time >= $3 AND end_time <= $4),
     visit AS (
       INSERT INTO species_visit (species_id, start_time, end_time, max_simultaneous, detection_count, video_count)
       SELECT $1, $3, $4, 1, count(*), 0 FROM own RETURNING *),
     moved AS (UPDATE detection SET visit_id = visit.id FROM own, visit WHERE detection.id = own.id),
     gone AS (DELETE FROM attached_run WHERE species_id = $1 AND start_time = $3),
     host AS (
       UPDATE species_visit SET detection_count = species_visit.detection_count - visit.detection_count
       FROM visit WHERE species_visit.id = $2 RETURNING species_visit.*)
     SELECT ${visitJson('visit')} AS visit, ${visitJson('host')} AS host FROM visit, host`,
    [run.speciesId, run.hostId, at(run.start), at(run.end)],
  );
  const [row] = rows;
  if (!row) throw new Error(`the visit ${run.hostId} that a run is attached to is missing`);
  return row;
}

/** Makes a heard visit a run that is attached to another visit. Answers the host as it is with it. */
export async function attachVisit(
  client: pg.ClientBase,
  heard: StoredVisit,
  hostId: number,
): Promise<StoredVisit> {
  await client.query('UPDATE detection SET visit_id = $2 WHERE visit_id = $1', [heard.id, hostId]);
  await client.query('DELETE FROM species_visit WHERE id = $1', [heard.id]);
  await client.query(
    'INSERT INTO attached_run (species_id, start_time, end_time, visit_id) VALUES ($1, $2, $3, $4)',
    [heard.speciesId, at(heard.start), at(heard.end), hostId],
  );
  const { rows } = await client.query<{ host: StoredVisit }>(
    `UPDATE species_visit AS host SET detection_count = detection_count + $2 WHERE id = $1 RETURNING ${visitJson('host')} AS host`,
    [hostId, heard.detectionCount],
  );
  const [row] = rows;
  if (!row) throw new Error(`the visit ${hostId} to attach a run to is missing`);
  return row.host;
}
