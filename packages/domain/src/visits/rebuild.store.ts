import type pg from 'pg';
import { visitJson } from './neighbourhood.store.js';
import type { StoredDetection, StoredVisit, VisitRule } from './visit-state.js';

const page = 5_000;

/** The rule under which the visits in store were made. */
export async function readVisitRule(client: pg.ClientBase | pg.Pool): Promise<VisitRule> {
  const { rows } = await client.query<VisitRule>(
    'SELECT gap_ms AS "gapMs", timezone, tree_revision AS "treeRevision" FROM visit_rule',
  );
  const [rule] = rows;
  if (!rule) throw new Error('the visit rule is missing from the database');
  return rule;
}

/** Whether the visits in store were made by a rule, and no migration has made them untrue since. */
export async function areVisitsMadeBy(pool: pg.Pool, gapMs: number, timezone: string): Promise<boolean> {
  const { rows } = await pool.query<{ isRule: boolean }>(
    'SELECT gap_ms = $1 AND timezone = $2 AND NOT is_outdated AS "isRule" FROM visit_rule',
    [gapMs, timezone],
  );
  return rows[0]?.isRule ?? false;
}

/** Every detection in order of time, a page at once, within the transaction of the client. */
export async function* readAllDetections(client: pg.ClientBase): AsyncGenerator<StoredDetection[]> {
  await client.query(`
    DECLARE every_detection NO SCROLL CURSOR FOR
    SELECT detection.id, detection.species_id AS "speciesId", visit_id AS "visitId", source, camera_id AS "cameraId",
      (extract(epoch FROM detection.start_time) * 1000)::bigint AS start,
      (extract(epoch FROM detection.end_time) * 1000)::bigint AS "end"
    FROM detection JOIN video ON video.id = detection.video_id ORDER BY detection.start_time`);
  for (;;) {
    const { rows } = await client.query<StoredDetection>(`FETCH ${page} FROM every_detection`);
    if (rows.length === 0) return;
    yield rows;
  }
}

/** Visits by id. */
export async function listVisits(client: pg.ClientBase, ids: readonly number[]): Promise<StoredVisit[]> {
  const { rows } = await client.query<{ visit: StoredVisit }>(
    `SELECT ${visitJson('species_visit')} AS visit FROM species_visit WHERE id = ANY ($1)`,
    [ids],
  );
  return rows.map((row) => row.visit);
}

/** Sets the rule and empties what is made anew: rollups, totals, the count of visits, attached runs. */
export async function beginRebuild(client: pg.ClientBase, gapMs: number, timezone: string): Promise<void> {
  await client.query('UPDATE visit_rule SET gap_ms = $1, timezone = $2, is_outdated = false', [
    gapMs,
    timezone,
  ]);
  await client.query('DELETE FROM attached_run');
  await client.query('DELETE FROM visit_day');
  await client.query('DELETE FROM visit_month');
  await client.query('DELETE FROM species_total');
  await client.query(`DELETE FROM hub_counter WHERE name = 'visits'`);
}

/** An attached run and the visit that it belongs to. */
export interface AttachedRunRow {
  readonly species_id: number;
  readonly start_time: string;
  readonly end_time: string;
  readonly visit_id: number;
}

/** Adds attached runs. */
export async function writeAttachedRuns(
  client: pg.ClientBase,
  rows: readonly AttachedRunRow[],
): Promise<void> {
  if (!rows.length) return;
  await client.query(
    `INSERT INTO attached_run (species_id, start_time, end_time, visit_id)
     SELECT * FROM json_to_recordset($1)
       AS run (species_id int, start_time timestamptz, end_time timestamptz, visit_id bigint)`,
    [JSON.stringify(rows)],
  );
}
