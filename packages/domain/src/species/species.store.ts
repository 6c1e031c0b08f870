import type pg from 'pg';
import type { HubActivityType } from '../activity/activity-types.js';
import type { StoredVisit } from '../visits/plan.js';
import { visitJson } from '../visits/visits.store.js';

/** A person's changes of a species; absent fields stay unchanged, null clears a field. */
export interface SpeciesPatch {
  readonly name?: string;
  readonly scientificName?: string | null;
  readonly ebirdCode?: string | null;
  readonly parentId?: number | null;
  readonly active?: boolean;
  readonly imageUrl?: string | null;
  readonly description?: string | null;
}

/** A species before it is changed. */
export interface EditedSpecies extends Required<SpeciesPatch> {
  readonly id: number;
  readonly rank: string;
}

const columns: Record<keyof SpeciesPatch, string> = {
  name: 'name',
  scientificName: 'scientific_name',
  ebirdCode: 'ebird_code',
  parentId: 'parent_id',
  active: 'active',
  imageUrl: 'image_url',
  description: 'description',
};

/** Returns the name of a field on the wire and in the table. */
export const columnOf = (field: keyof SpeciesPatch): string => columns[field];

/** Reads a species and locks it until the end of the transaction. */
export async function lockSpecies(client: pg.ClientBase, id: number): Promise<EditedSpecies | undefined> {
  const { rows } = await client.query<EditedSpecies>(
    `SELECT id, rank, name, scientific_name AS "scientificName", ebird_code AS "ebirdCode", parent_id AS "parentId",
       active, image_url AS "imageUrl", description
     FROM species WHERE id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0];
}

/** Adds a spelling to a species. Returns the species that owns it, which is another one when the spelling is taken. */
export async function claimSpelling(client: pg.ClientBase, key: string, id: number): Promise<number> {
  await client.query('INSERT INTO species_alias (key, species_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    key,
    id,
  ]);
  const { rows } = await client.query<{ owner: number }>(
    'SELECT species_id AS owner FROM species_alias WHERE key = $1',
    [key],
  );
  return rows[0]?.owner ?? id;
}

/** Returns the species that has an eBird code. */
export async function findByEbirdCode(client: pg.ClientBase, code: string): Promise<number | undefined> {
  const { rows } = await client.query<{ id: number }>('SELECT id FROM species WHERE ebird_code = $1', [code]);
  return rows[0]?.id;
}

/** Columns that fall back to the encyclopedia when a person clears them. */
const infoColumns: readonly (keyof SpeciesPatch)[] = ['imageUrl', 'description'];

function assignment(field: keyof SpeciesPatch, parameter: string): string {
  const column = columns[field];
  if (!infoColumns.includes(field)) return `${column} = ${parameter}`;
  return `${column} = coalesce(${parameter}, (SELECT ${column} FROM species_info WHERE species_id = $1))`;
}

/** Writes the fields of a non-empty patch. */
export async function updateSpecies(client: pg.ClientBase, id: number, patch: SpeciesPatch): Promise<void> {
  const fields = Object.keys(patch) as (keyof SpeciesPatch)[];
  const assignments = fields.map((field, at) => assignment(field, `$${at + 2}`));
  const values = fields.map((field) => patch[field]);
  await client.query(`UPDATE species SET ${assignments.join(', ')} WHERE id = $1`, [id, ...values]);
}

/** Increments the revision of the tree, which invalidates all cached trees. */
export async function increaseTreeRevision(client: pg.ClientBase): Promise<void> {
  await client.query('UPDATE visit_rule SET tree_revision = tree_revision + 1');
}

/** A stored merge. */
export interface Merge {
  readonly id: number;
  readonly speciesId: number;
  readonly intoSpeciesId: number;
  /** The former parent of the species. */
  readonly parentId: number | null;
  /** Former children of the species that are still children of the target. */
  readonly childIds: readonly number[];
  readonly isReverted: boolean;
}

/** Records the detections, names and children that a merge is about to move. */
export async function recordMerge(
  client: pg.ClientBase,
  speciesId: number,
  intoSpeciesId: number,
): Promise<{ id: number; detections: number }> {
  const { rows } = await client.query<{ id: number; detections: number }>(
    `WITH merge AS (
       INSERT INTO species_merge (species_id, into_species_id, parent_id, was_active, target_was_active, moved)
       SELECT own.id, target.id, own.parent_id, own.active, target.active, jsonb_build_object(
         'children', ARRAY(SELECT id FROM species WHERE parent_id = $1),
         'aliases', ARRAY(SELECT key FROM species_alias WHERE species_id = $1))
       FROM species own, species target WHERE own.id = $1 AND target.id = $2 RETURNING id),
     moved AS (
       INSERT INTO species_merge_detection (merge_id, detection_id)
       SELECT merge.id, detection.id FROM merge, species_visit visit JOIN detection ON visit_id = visit.id
       WHERE visit.species_id = $1 RETURNING 1)
     SELECT id, (SELECT count(*) FROM moved) AS detections FROM merge`,
    [speciesId, intoSpeciesId],
  );
  const [row] = rows;
  if (!row) throw new Error(`the species ${speciesId} or ${intoSpeciesId} is missing`);
  return row;
}

/** Moves everything except detections from a species to another one. */
export async function moveReferences(client: pg.ClientBase, speciesId: number, into: number): Promise<void> {
  const values = [speciesId, into];
  await client.query('UPDATE species_alias SET species_id = $2 WHERE species_id = $1', values);
  await client.query('UPDATE species SET merged_into = $2 WHERE merged_into = $1', values);
  await client.query('UPDATE species SET parent_id = $2 WHERE parent_id = $1', values);
  await client.query(
    'UPDATE species SET active = active OR (SELECT active FROM species WHERE id = $1) WHERE id = $2',
    values,
  );
  await client.query(
    'UPDATE species SET merged_into = $2, parent_id = NULL, active = false WHERE id = $1',
    values,
  );
}

/** Reads a merge and locks it until the end of the transaction. */
export async function lockMerge(client: pg.ClientBase, mergeId: number): Promise<Merge | undefined> {
  const { rows } = await client.query<Merge>(
    `SELECT id, species_id AS "speciesId", into_species_id AS "intoSpeciesId", parent_id AS "parentId",
       reverted_at IS NOT NULL AS "isReverted",
       (SELECT coalesce(json_agg(species.id), '[]') FROM species
        WHERE moved -> 'children' @> to_jsonb(species.id) AND species.parent_id = into_species_id) AS "childIds"
     FROM species_merge WHERE id = $1 FOR UPDATE`,
    [mergeId],
  );
  return rows[0];
}

/** Detections that a merge moved and that have been neither moved nor reviewed since. */
const returning = `
  species_merge merge JOIN species_merge_detection ON merge_id = merge.id JOIN detection ON detection.id = detection_id
  WHERE merge.id = $1 AND detection.species_id = into_species_id
    AND (reviewed_at IS NULL OR reviewed_at <= merged_at)`;

/** Returns the detections to move back when a merge is reverted, and their visits. */
export async function listReturning(
  client: pg.ClientBase,
  mergeId: number,
): Promise<{ detectionIds: number[]; visits: StoredVisit[] }> {
  const detections = await client.query<{ id: number }>(`SELECT detection.id FROM ${returning}`, [mergeId]);
  const visits = await client.query<{ visit: StoredVisit }>(
    `SELECT ${visitJson('visit')} AS visit FROM species_visit visit
     WHERE id IN (SELECT visit_id FROM ${returning}) ORDER BY start_time`,
    [mergeId],
  );
  return {
    detectionIds: detections.rows.map((row) => row.id),
    visits: visits.rows.map((row) => row.visit),
  };
}

/** Moves back everything except detections, as far as the target still has it. */
export async function restoreReferences(
  client: pg.ClientBase,
  { id, speciesId, intoSpeciesId, childIds }: Merge,
  parentId: number | null,
): Promise<void> {
  const values = [id, speciesId, intoSpeciesId];
  await client.query(
    `UPDATE species_alias SET species_id = $2
     WHERE species_id = $3 AND (SELECT moved -> 'aliases' FROM species_merge WHERE id = $1) ? key`,
    values,
  );
  await client.query(
    `WITH RECURSIVE earlier (id) AS (
       SELECT species_id FROM species_merge WHERE into_species_id = $1 AND reverted_at IS NULL
       UNION
       SELECT species_id FROM earlier JOIN species_merge ON into_species_id = earlier.id AND reverted_at IS NULL)
     UPDATE species SET merged_into = $1 WHERE id IN (SELECT id FROM earlier) AND merged_into = $2`,
    [speciesId, intoSpeciesId],
  );
  await client.query('UPDATE species SET parent_id = $1 WHERE id = ANY ($2)', [speciesId, childIds]);
  await client.query(
    `UPDATE species SET active = species.active AND (target_was_active OR NOT was_active)
     FROM species_merge merge WHERE merge.id = $1 AND species.id = into_species_id`,
    [id],
  );
  await client.query(
    `UPDATE species SET merged_into = NULL, parent_id = $2, active = was_active
     FROM species_merge merge WHERE merge.id = $1 AND species.id = merge.species_id`,
    [id, parentId],
  );
  await client.query('UPDATE species_merge SET reverted_at = now() WHERE id = $1', [id]);
}

/** Adds a change of species to the activity log. */
export async function logChange(client: pg.ClientBase, type: HubActivityType, data: object): Promise<void> {
  await client.query('INSERT INTO activity_log (type, data) VALUES ($1, $2::jsonb)', [
    type,
    JSON.stringify(data),
  ]);
}
