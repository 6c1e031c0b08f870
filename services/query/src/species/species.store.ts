import type pg from 'pg';

const speciesSql = (condition: string) => `
  SELECT coalesce(json_agg(item ORDER BY name, id), '[]')::text AS body FROM (
    SELECT id, name, scientific_name, parent_id, created_at, image_url, description, active,
      coalesce(individuals, 0) AS count
    FROM species LEFT JOIN species_total ON species_id = id WHERE ${condition}
  ) item`;

const familiesSql = `
  SELECT coalesce(json_agg(item ORDER BY name, id), '[]')::text AS body FROM (
    SELECT id, name FROM species WHERE rank = 'family'
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
