import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';
import type { Species } from './species.schema.js';

/** Months of the year 0 are of all years together. */
const evidenceSql = `
  SELECT species_id, sum(video_visits) AS seen FROM visit_month WHERE year = 0 GROUP BY species_id`;

const itemsSql = (condition: string) => `
  SELECT id, name, scientific_name, parent_id, created_at, image_url, description, active,
    coalesce(individuals, 0) AS count, coalesce(visits, 0) AS visits,
    coalesce(visits, 0) > 0 AND coalesce(seen, 0) = 0 AS heard_only
  FROM species LEFT JOIN species_total total ON total.species_id = id
    LEFT JOIN (${evidenceSql}) evidence ON evidence.species_id = id
  WHERE merged_into IS NULL AND ${condition}`;

const speciesSql = (condition: string) => `
  SELECT coalesce(json_agg(item ORDER BY name, id), '[]')::text AS body FROM (${itemsSql(condition)}) item`;

const familiesSql = `
  SELECT coalesce(json_agg(item ORDER BY name, id), '[]')::text AS body FROM (
    SELECT id, name FROM species WHERE rank = 'family' AND merged_into IS NULL
  ) item`;

async function readBody(pool: pg.Pool, name: string, text: string): Promise<string> {
  const { rows } = await pool.query<{ body: string }>({ name, text });
  return rows[0]?.body ?? '[]';
}

/** The JSON of all species by name; counts come from the rollup. */
export const listSpecies = (pool: pg.Pool) => readBody(pool, 'species', speciesSql('true'));

/** The JSON of the species that had visits, by name. */
export const listObservedSpecies = (pool: pg.Pool) =>
  readBody(pool, 'species-observed', speciesSql('visits > 0'));

/** The JSON of all families by name. */
export const listFamilies = (pool: pg.Pool) => readBody(pool, 'families', familiesSql);

/** One species as it stands in the list. @throws HubError species_not_found */
export async function getSpecies(pool: pg.Pool, id: number): Promise<Species> {
  const text = `SELECT row_to_json(item) AS species FROM (${itemsSql('id = $1')}) item`;
  const { rows } = await pool.query<{ species: Species }>({ name: 'species-row', text, values: [id] });
  const [row] = rows;
  if (!row) throw new HubError('species_not_found');
  return row.species;
}
