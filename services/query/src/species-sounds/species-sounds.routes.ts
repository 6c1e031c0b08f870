import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp } from '@birdhub/shared/app';
import type pg from 'pg';
import type { ExternalApis } from '../external/external-apis.js';
import {
  type SpeciesSounds,
  SpeciesSoundsParamsSchema,
  SpeciesSoundsSchema,
} from './species-sounds.schema.js';
import { getSoundSpecies } from './species-sounds.store.js';
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
