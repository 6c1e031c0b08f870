import { ebirdRegionOf, type Settings, type SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp } from '@birdhub/shared/app';
import type pg from 'pg';
import type { ExternalApis } from '../external/external-apis.js';
import { compareSpecies, listHubSpecies, readRegion } from './region-comparison.js';
import { type RegionComparison, RegionComparisonSchema } from './region-comparison.schema.js';

const schema = {
  operationId: 'getRegionComparison',
  summary: 'Compare the species of the hub with eBird reports of its region',
  tags: ['species'],
  security: access.open,
  response: { 200: RegionComparisonSchema },
};

async function compare(
  pool: pg.Pool,
  externalApis: ExternalApis,
  settings: Settings,
): Promise<RegionComparison> {
  const { ebird, secrets } = settings;
  const region = ebirdRegionOf(settings);
  const species = await listHubSpecies(pool);
  const emptyComparison = { ...compareSpecies(species, [], {}), onlyHere: [], regionCode: region ?? '' };
  if (!region || !secrets.ebird_api_key) return { configured: false, ...emptyComparison, stale: false };
  const { value, isStale } = await readRegion(externalApis, region, secrets.ebird_api_key);
  // Without a list of the region there is nothing to compare with.
  if (!value) return { configured: true, ...emptyComparison, stale: true };
  const compared = compareSpecies(species, value, ebird.species_mapping);
  return { configured: true, regionCode: region, ...compared, stale: isStale };
}

/** `GET /region-comparison` */
export function regionComparisonRoutes(
  app: HubApp,
  { settings, externalApis }: { settings: SettingsReader; externalApis: ExternalApis },
): void {
  // Not cached here, as results of external services expire.
  const config = { cache: {} };
  app.get('/api/ui/region-comparison', { schema, config }, async ({ readPool }) =>
    compare(readPool, externalApis, await settings.current()),
  );
}
