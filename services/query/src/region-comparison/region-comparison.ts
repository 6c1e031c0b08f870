import { countedSql, readNameMapping, speciesKey } from '@birdhub/domain/species';
import { hourMs } from '@birdhub/shared/time';
import type pg from 'pg';
import type { CachedResult } from '../external/external-api-cache.js';
import type { ExternalApis } from '../external/external-apis.js';
import {
  ExternalServiceError,
  fieldsOf,
  fingerprint,
  numberOrNull,
  requestUrl,
  textOrNull,
} from '../external/external-service.js';
import type { RegionComparison } from './region-comparison.schema.js';

const maxTop = 20;

/** Equivalent names of species at the hub and at eBird. */
type NamePairs = Readonly<Record<string, string>>;

/** Returns all spellings of a species; pairs apply in both directions. */
function spellingsOf({ name, keys }: HubSpecies, pairs: NamePairs): Set<string> {
  const spellings = new Set([speciesKey(name), ...keys]);
  for (const [oneKey, other] of readNameMapping(pairs)) {
    const otherKey = speciesKey(other);
    if (spellings.has(oneKey)) spellings.add(otherKey);
    else if (spellings.has(otherKey)) spellings.add(oneKey);
  }
  return spellings;
}

/** Returns a function that matches a species of the region with one of the hub: by code, scientific name or name. */
function createFinder(species: readonly HubSpecies[], pairs: NamePairs) {
  const byCode = new Map(species.map((one) => [one.ebirdCode ?? '', one]));
  const byScientificName = new Map(species.map((one) => [speciesKey(one.scientificName ?? ''), one]));
  const byName = new Map(species.flatMap((one) => [...spellingsOf(one, pairs)].map((key) => [key, one])));
  return ({ code, scientificName, name }: RegionSpecies): HubSpecies | undefined =>
    (code ? byCode.get(code) : undefined) ??
    (scientificName ? byScientificName.get(speciesKey(scientificName)) : undefined) ??
    byName.get(speciesKey(name));
}

/** Compares the species of the hub and the region. */
export function compareSpecies(
  species: readonly HubSpecies[],
  region: readonly RegionSpecies[],
  pairs: NamePairs,
): Omit<RegionComparison, 'configured' | 'regionCode' | 'stale'> {
  const find = createFinder(species, pairs);
  const found = region.map(find);
  const reported = new Set(found);
  const matched = species.filter((one) => reported.has(one));
  return {
    userCount: species.length,
    regionTopCount: region.length,
    matchCount: matched.length,
    matchedSpecies: matched.map(({ name }) => name),
    regionTop: [...new Set(region.map(({ name }, at) => found[at]?.name ?? name))].slice(0, maxTop),
    onlyHere: species.filter((one) => !reported.has(one)).map(({ name }) => name),
  };
}

/** A species with visits at the hub. */
export interface HubSpecies {
  readonly name: string;
  readonly scientificName: string | null;
  readonly ebirdCode: string | null;
  /** The keys of all its spellings. */
  readonly keys: readonly string[];
}

/** Maps forms with visits to their species. */
const hubSpeciesSql = `
  WITH RECURSIVE kind AS (
    SELECT id, parent_id, name, scientific_name, ebird_code FROM species
    WHERE rank IN ('species', 'form') AND ${countedSql()}
  ), line AS (
    SELECT kind.* FROM kind JOIN species_total ON species_id = kind.id WHERE visits > 0
    UNION
    SELECT kind.* FROM line JOIN kind ON kind.id = line.parent_id
  )
  SELECT name, scientific_name AS "scientificName", ebird_code AS "ebirdCode",
    ARRAY(SELECT key FROM species_alias WHERE species_id = line.id ORDER BY key) AS keys
  FROM line WHERE NOT EXISTS (SELECT 1 FROM kind WHERE kind.id = line.parent_id)
  ORDER BY name, id`;

/**
 * Lists the species with visits by name; forms count as their species, generic species and other animals are excluded.
 */
export async function listHubSpecies(pool: pg.Pool): Promise<readonly HubSpecies[]> {
  const { rows } = await pool.query<HubSpecies>({ name: 'hub-species', text: hubSpeciesSql });
  return rows;
}

/** A species reported in a region. */
export interface RegionSpecies {
  /** Code of the eBird taxonomy. */
  readonly code: string | null;
  readonly name: string;
  readonly scientificName: string | null;
  /** Number of birds in the latest reports. */
  readonly count: number;
}

const freshMs = 4 * hourMs;
const retryMs = 60_000;
/** Excludes hybrids and unidentified birds. */
const categories = 'species,issf,domestic';

function toSpecies(observation: unknown): RegionSpecies | undefined {
  const { speciesCode, comName, sciName, howMany } = fieldsOf(observation);
  const name = textOrNull(comName);
  if (!name) return undefined;
  // A report without a number counts as one.
  const count = Math.max(1, numberOrNull(howMany) ?? 1);
  return { code: textOrNull(speciesCode), name, scientificName: textOrNull(sciName), count };
}

/**
 * Parses the species of recent observations, highest counts first.
 * @throws ExternalServiceError when the response is not a list of observations
 */
export function readObservations(response: unknown): RegionSpecies[] {
  if (!Array.isArray(response)) throw new ExternalServiceError('ebird returned no list of observations');
  const found = new Map<string, RegionSpecies>();
  for (const observation of response) {
    const species = toSpecies(observation);
    if (!species) continue;
    const key = species.code ?? species.name;
    const before = found.get(key)?.count ?? 0;
    found.set(key, { ...species, count: before + species.count });
  }
  return [...found.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

/** Returns the species reported in a region in the last 30 days, cached for four hours. */
export function readRegion(
  { urls, services, cache }: ExternalApis,
  region: string,
  apiKey: string,
): Promise<CachedResult<RegionSpecies[]>> {
  const path = `/data/obs/${encodeURIComponent(region)}/recent`;
  const url = requestUrl(urls.ebirdApiUrl, path, { back: 30, cat: categories });
  return cache.get({
    service: 'ebird',
    // A corrected API key is tried immediately.
    key: `${region} ${fingerprint(apiKey)}`,
    freshMs: () => freshMs,
    retryMs,
    fetch: async () => {
      const response = await services.ebird.getJson({ url, headers: { 'X-eBirdApiToken': apiKey } });
      return readObservations(response);
    },
  });
}
