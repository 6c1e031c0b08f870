import type pg from 'pg';
import type { WriterScope } from '../visits/maintain-visits.js';
import { type ReviewedDetection, reviewedColumns, reviewedJoins } from './reviews.store.js';

/** What a processor's name for a bird means now. */
export interface NameTarget {
  readonly name: string;
  readonly speciesId: number;
}

/** A detection that would be of another species were it posted now. */
export interface MisnamedDetection extends ReviewedDetection {
  readonly targetId: number;
}

/** Every name that processors used for what nobody has reviewed. */
export async function listPostedNames(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    'SELECT DISTINCT posted_name AS name FROM detection WHERE NOT reviewed',
  );
  return rows.map((row) => row.name);
}

/** Detections behind an id that nobody has reviewed and whose name means another species, by id. */
export async function listMisnamed(
  client: pg.ClientBase | pg.Pool,
  targets: readonly NameTarget[],
  { after, upTo, limit }: { readonly after: number; readonly upTo?: number; readonly limit: number },
): Promise<MisnamedDetection[]> {
  const { rows } = await client.query<MisnamedDetection>(
    `SELECT ${reviewedColumns}, target.species_id AS "targetId"
     FROM detection JOIN unnest($1::text[], $2::int[]) AS target (name, species_id) ON posted_name = target.name
     ${reviewedJoins}
     WHERE detection.id > $3 AND detection.id <= coalesce($4::bigint, detection.id)
       AND NOT reviewed AND detection.species_id <> target.species_id
     ORDER BY detection.id LIMIT $5`,
    [targets.map(({ name }) => name), targets.map(({ speciesId }) => speciesId), after, upTo, limit],
  );
  return rows;
}

/** A detection's species and visit from now on. */
export interface NewPlace {
  readonly id: number;
  readonly species_id: number;
  readonly visit_id: number | undefined;
}

/** Moves detections; nobody has reviewed them, and nobody has by this. */
export function writePlaces({ client, send }: WriterScope, places: readonly NewPlace[]): void {
  const statement = `
    UPDATE detection SET species_id = place.species_id, visit_id = place.visit_id
    FROM json_to_recordset($1) AS place (id bigint, species_id int, visit_id bigint) WHERE detection.id = place.id`;
  send(client.query(statement, [JSON.stringify(places)]));
}
