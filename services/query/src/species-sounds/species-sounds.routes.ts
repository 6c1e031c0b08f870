import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp } from '@birdhub/shared/app';
import type pg from 'pg';
import type { Answers } from '../answers/answers.js';
import { makeAnswer } from '../answers/make-answer.js';
import { sendAnswer } from '../answers/send-answer.js';
import type { HubOutside } from '../outside/hub-outside.js';
import { searchPage, searchQuery } from './search-query.js';
import { getSoundSpecies } from './sound-species.store.js';
import {
  type SpeciesSounds,
  SpeciesSoundsParamsSchema,
  SpeciesSoundsSchema,
} from './species-sounds.schema.js';
import { findRecordings } from './xeno-canto.js';

const schema = {
  operationId: 'getSpeciesSounds',
  summary: 'Get sounds of a species from xeno-canto',
  tags: ['species'],
  security: access.open,
  params: SpeciesSoundsParamsSchema,
  response: { 200: SpeciesSoundsSchema },
};

/** What the route works with. */
export interface SpeciesSoundsDependencies {
  readonly answers: Answers;
  readonly settings: SettingsReader;
  readonly outside: HubOutside;
}

async function readSounds(
  { settings, outside }: SpeciesSoundsDependencies,
  pool: pg.Pool,
  id: number,
): Promise<SpeciesSounds> {
  const species = await getSoundSpecies(pool, id);
  const { xeno_canto_api_key: key } = (await settings.current()).secrets;
  const query = searchQuery(species);
  const found = key && species.isKind ? await findRecordings(outside, query, key) : undefined;
  return {
    configured: key !== '',
    recordings: found?.value ?? [],
    species_name: species.name,
    xeno_canto_search_url: searchPage(query),
  };
}

/** `GET /species/:id/xeno-canto` */
export function speciesSoundsRoutes(app: HubApp, dependencies: SpeciesSoundsDependencies): void {
  app.get('/api/ui/species/:id/xeno-canto', { schema }, async (request, reply) => {
    const { id } = request.params;
    return sendAnswer(dependencies.answers, request, reply, {
      key: `sounds ${id}`,
      async answer(pool) {
        const sounds = await readSounds(dependencies, pool, id);
        // Not kept: what comes from outside changes by the clock.
        return { answer: makeAnswer(JSON.stringify(sounds)), scope: undefined };
      },
    });
  });
}
