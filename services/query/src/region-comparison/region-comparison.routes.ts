import type { Settings, SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp } from '@birdhub/shared/app';
import type pg from 'pg';
import type { Answers, Question } from '../answers/answers.js';
import { makeAnswer } from '../answers/make-answer.js';
import { sendAnswer } from '../answers/send-answer.js';
import type { HubOutside } from '../outside/hub-outside.js';
import { compareSpecies } from './compare-species.js';
import { readRegion, regionOf } from './ebird-region.js';
import { listHubSpecies } from './hub-species.store.js';
import { type RegionComparison, RegionComparisonSchema } from './region-comparison.schema.js';

const schema = {
  operationId: 'getRegionComparison',
  summary: 'Compare the species of the hub with eBird reports of its region',
  tags: ['species'],
  security: access.open,
  response: { 200: RegionComparisonSchema },
};

async function compare(pool: pg.Pool, outside: HubOutside, settings: Settings): Promise<RegionComparison> {
  const { ebird, secrets } = settings;
  const region = regionOf(settings);
  const species = await listHubSpecies(pool);
  const nothing = { ...compareSpecies(species, [], {}), onlyHere: [], regionCode: region ?? '' };
  if (!region || !secrets.ebird_api_key) return { configured: false, ...nothing, stale: false };
  const { value, isStale } = await readRegion(outside, region, secrets.ebird_api_key);
  // Without a region nobody knows what is only here.
  if (!value) return { configured: true, ...nothing, stale: true };
  const compared = compareSpecies(species, value, ebird.species_mapping);
  return { configured: true, regionCode: region, ...compared, stale: isStale };
}

/** What the route works with. */
export interface RegionComparisonDependencies {
  readonly answers: Answers;
  readonly settings: SettingsReader;
  readonly outside: HubOutside;
}

/** `GET /region-comparison` */
export function regionComparisonRoutes(app: HubApp, dependencies: RegionComparisonDependencies): void {
  const { answers, settings, outside } = dependencies;
  const question: Question = {
    key: 'region',
    async answer(pool) {
      const comparison = await compare(pool, outside, await settings.current());
      // Not kept: what comes from outside changes by the clock.
      return { answer: makeAnswer(JSON.stringify(comparison)), scope: undefined };
    },
  };
  app.get('/api/ui/region-comparison', { schema }, async (request, reply) =>
    sendAnswer(answers, request, reply, question),
  );
}
