import type { SettingsReader } from '@birdhub/domain/settings';
import { countedSql, currentSpeciesSql } from '@birdhub/domain/species';
import { access, type HubApp } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';
import type { ExternalApis } from '../external/external-apis.js';
import {
  type SpeciesSounds,
  SpeciesSoundsParamsSchema,
  SpeciesSoundsSchema,
} from './species-sounds.schema.js';
import { findRecordings, searchPage, searchQuery } from './xeno-canto.js';

const schema = {
  operationId: 'getSpeciesSounds',
  summary: 'Get sounds of a species from xeno-canto',
  tags: ['species'],
  security: access.open,
  params: SpeciesSoundsParamsSchema,
  response: { 200: SpeciesSoundsSchema },
};

/** Dependencies of this route. */
export interface SpeciesSoundsDeps {
  readonly settings: SettingsReader;
  readonly externalApis: ExternalApis;
}

async function readSounds(
  { settings, externalApis }: SpeciesSoundsDeps,
  pool: pg.Pool,
  id: number,
): Promise<SpeciesSounds> {
  const species = await getSoundSpecies(pool, id);
  const { xeno_canto_api_key: key } = (await settings.current()).secrets;
  const query = searchQuery(species);
  const found = key && species.isKind ? await findRecordings(externalApis, query, key) : undefined;
  return {
    configured: key !== '',
    recordings: found?.value ?? [],
    species_name: species.name,
    xeno_canto_search_url: searchPage(query),
  };
}

/** `GET /species/:id/xeno-canto` */
export function speciesSoundsRoutes(app: HubApp, deps: SpeciesSoundsDeps): void {
  // Not cached here, as results of external services expire.
  const config = { cache: {} };
  app.get('/api/ui/species/:id/xeno-canto', { schema, config }, async ({ params, readPool }) =>
    readSounds(deps, readPool, params.id),
  );
}

/** The names for the search of a species. */
export interface SoundSpecies {
  readonly name: string;
  /** Scientific name; for a form, that of its species. */
  readonly scientificName: string | null;
  /** Whether it is a species or form, not a family or a generic label. */
  readonly isKind: boolean;
}

const text = `
  SELECT species.name, coalesce(species.scientific_name, parent.scientific_name) AS "scientificName",
    species.rank IN ('species', 'form') AND ${countedSql()} AS "isKind"
  FROM species LEFT JOIN species parent
    ON parent.id = species.parent_id AND parent.rank IN ('species', 'form') AND NOT parent.generic
  WHERE species.id = ${currentSpeciesSql('$1')}`;

/** @throws HubError species_not_found */
async function getSoundSpecies(pool: pg.Pool, id: number): Promise<SoundSpecies> {
  const { rows } = await pool.query<SoundSpecies>({ name: 'sound-species', text, values: [id] });
  const [species] = rows;
  if (!species) throw new HubError('species_not_found');
  return species;
}
