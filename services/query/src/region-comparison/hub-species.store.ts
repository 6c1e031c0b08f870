import type pg from 'pg';

/** A species with visits at the hub. */
export interface HubSpecies {
  readonly name: string;
  readonly scientificName: string | null;
  readonly ebirdCode: string | null;
  /** Every spelling that it is known by here, as keys to compare by. */
  readonly keys: readonly string[];
}

/** From each species with visits up to the species that it is a form of. */
const text = `
  WITH RECURSIVE kind AS (
    SELECT id, parent_id, name, scientific_name, ebird_code FROM species
    WHERE rank IN ('species', 'form') AND NOT generic
  ), line AS (
    SELECT kind.* FROM kind JOIN species_total ON species_id = kind.id WHERE visits > 0
    UNION
    SELECT kind.* FROM line JOIN kind ON kind.id = line.parent_id
  )
  SELECT name, scientific_name AS "scientificName", ebird_code AS "ebirdCode",
    ARRAY(SELECT key FROM species_alias WHERE species_id = line.id ORDER BY key) AS keys
  FROM line WHERE NOT EXISTS (SELECT 1 FROM kind WHERE kind.id = line.parent_id)
  ORDER BY name, id`;

/** The species with visits by name; forms are given as their species, generic ones left out. */
export async function listHubSpecies(pool: pg.Pool): Promise<readonly HubSpecies[]> {
  const { rows } = await pool.query<HubSpecies>({ name: 'hub-species', text });
  return rows;
}
