import { speciesKey } from '@birdhub/domain/species';
import type { RegionSpecies } from './ebird-region.js';
import type { HubSpecies } from './hub-species.store.js';
import type { RegionComparison } from './region-comparison.schema.js';

const mostTop = 20;

/** Pairs of names for one species, at the hub and at eBird. */
type NamePairs = Readonly<Record<string, string>>;

/** All spellings of a species; pairs are taken either way round. */
function spellingsOf({ name, keys }: HubSpecies, pairs: NamePairs): Set<string> {
  const spellings = new Set([speciesKey(name), ...keys]);
  for (const [one, other] of Object.entries(pairs)) {
    const [oneKey, otherKey] = [speciesKey(one), speciesKey(other)];
    if (spellings.has(oneKey)) spellings.add(otherKey);
    else if (spellings.has(otherKey)) spellings.add(oneKey);
  }
  return spellings;
}

/** Finds the species of the hub that one of the region is: by code, else by scientific name, else by name. */
function createFinder(species: readonly HubSpecies[], pairs: NamePairs) {
  const byCode = new Map(species.map((one) => [one.ebirdCode ?? '', one]));
  const byScientificName = new Map(species.map((one) => [speciesKey(one.scientificName ?? ''), one]));
  const byName = new Map(species.flatMap((one) => [...spellingsOf(one, pairs)].map((key) => [key, one])));
  return ({ code, scientificName, name }: RegionSpecies): HubSpecies | undefined =>
    (code ? byCode.get(code) : undefined) ??
    (scientificName ? byScientificName.get(speciesKey(scientificName)) : undefined) ??
    byName.get(speciesKey(name));
}

/** What the hub and the region have in common. */
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
    regionTop: [...new Set(region.map(({ name }, at) => found[at]?.name ?? name))].slice(0, mostTop),
    onlyHere: species.filter((one) => !reported.has(one)).map(({ name }) => name),
  };
}
