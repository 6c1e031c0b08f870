import type { Settings } from '@birdhub/domain/settings';
import type { OutsideAnswer } from '../external/external-api-cache.js';
import type { HubOutside } from '../external/external-apis.js';
import { fieldsOf, fingerprint, numberOrNull, requestUrl, textOrNull } from '../external/external-request.js';
import { OutsideError } from '../external/external-service.js';

/** A species that was reported in a region. */
export interface RegionSpecies {
  /** Of the eBird taxonomy. */
  readonly code: string | null;
  readonly name: string;
  readonly scientificName: string | null;
  /** Birds of the latest reports. */
  readonly count: number;
}

const hour = 3_600_000;
const freshMs = 4 * hour;
const retryMs = 60_000;
/** Hybrids, and what nobody could tell apart, are no species. */
const categories = 'species,issf,domestic';

/** The region of the settings at eBird; undefined when they name no country. */
export function regionOf({ ebird }: Pick<Settings, 'ebird'>): string | undefined {
  const country = ebird.country.trim().toUpperCase();
  const state = ebird.state.trim().toUpperCase();
  if (!country) return undefined;
  if (!state) return country;
  return state.startsWith(`${country}-`) ? state : `${country}-${state}`;
}

function toSpecies(observation: unknown): RegionSpecies | undefined {
  const { speciesCode, comName, sciName, howMany } = fieldsOf(observation);
  const name = textOrNull(comName);
  if (!name) return undefined;
  // A report without a number says that there was at least one.
  const count = Math.max(1, numberOrNull(howMany) ?? 1);
  return { code: textOrNull(speciesCode), name, scientificName: textOrNull(sciName), count };
}

/**
 * The species of recent observations, the most birds first.
 * @throws OutsideError when it is no list of observations
 */
export function readObservations(answer: unknown): RegionSpecies[] {
  if (!Array.isArray(answer)) throw new OutsideError('ebird answered no list of observations');
  const found = new Map<string, RegionSpecies>();
  for (const observation of answer) {
    const species = toSpecies(observation);
    if (!species) continue;
    const key = species.code ?? species.name;
    const before = found.get(key)?.count ?? 0;
    found.set(key, { ...species, count: before + species.count });
  }
  return [...found.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

/** The species that were reported in a region in the last 30 days, kept for four hours. */
export function readRegion(
  { urls, services, answers }: HubOutside,
  region: string,
  apiKey: string,
): Promise<OutsideAnswer<RegionSpecies[]>> {
  const path = `/data/obs/${encodeURIComponent(region)}/recent`;
  const url = requestUrl(urls.ebirdApiUrl, path, { back: 30, cat: categories });
  return answers.get({
    service: 'ebird',
    // A key that is corrected is tried at once.
    key: `${region} ${fingerprint(apiKey)}`,
    freshMs: () => freshMs,
    retryMs,
    ask: async () => {
      const answer = await services.ebird.getJson({ url, headers: { 'X-eBirdApiToken': apiKey } });
      return readObservations(answer);
    },
  });
}
