import { currentSpeciesSql } from '@birdhub/domain/species';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';

/** What a species is searched by. */
export interface SoundSpecies {
  readonly name: string;
  /** Its own or that of the species it is a form of. */
  readonly scientificName: string | null;
  /** Whether it is a kind of bird, not a family or a label for any bird. */
  readonly isKind: boolean;
}

const text = `
  SELECT species.name, coalesce(species.scientific_name, parent.scientific_name) AS "scientificName",
    species.rank IN ('species', 'form') AND NOT species.generic AS "isKind"
  FROM species LEFT JOIN species parent
    ON parent.id = species.parent_id AND parent.rank IN ('species', 'form') AND NOT parent.generic
  WHERE species.id = ${currentSpeciesSql('$1')}`;

/** @throws HubError species_not_found */
export async function getSoundSpecies(pool: pg.Pool, id: number): Promise<SoundSpecies> {
  const { rows } = await pool.query<SoundSpecies>({ name: 'sound-species', text, values: [id] });
  const [species] = rows;
  if (!species) throw new HubError('species_not_found');
  return species;
}
