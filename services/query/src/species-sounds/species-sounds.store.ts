import { countedSql, currentSpeciesSql } from '@birdhub/domain/species';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';

/** The names for the search of a species. */
export interface SoundSpecies {
  readonly name: string;
  /** Scientific name; for a form, that of its species. */
  readonly scientificName: string | null;
  /** Whether it is a species or form, not a family or a generic label. */
  readonly isKind: boolean;
}

const soundSpeciesSql = `
  SELECT species.name, coalesce(species.scientific_name, parent.scientific_name) AS "scientificName",
    species.rank IN ('species', 'form') AND ${countedSql()} AS "isKind"
  FROM species LEFT JOIN species parent
    ON parent.id = species.parent_id AND parent.rank IN ('species', 'form') AND NOT parent.generic
  WHERE species.id = ${currentSpeciesSql('$1')}`;

/** Returns the names of a species or form. @throws HubError species_not_found */
export async function getSoundSpecies(pool: pg.Pool, id: number): Promise<SoundSpecies> {
  const { rows } = await pool.query<SoundSpecies>({
    name: 'sound-species',
    text: soundSpeciesSql,
    values: [id],
  });
  const [species] = rows;
  if (!species) throw new HubError('species_not_found');
  return species;
}
