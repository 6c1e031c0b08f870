import { speciesKey } from '@birdhub/domain/species';
import type pg from 'pg';
import type { RegionSpecies } from './ebird-region.js';
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

/** A species with visits at the hub. */
export interface HubSpecies {
  readonly name: string;
  readonly scientificName: string | null;
  readonly ebirdCode: string | null;
  /** Every spelling that it is known by here, as keys to compare by. */
  readonly keys: readonly string[];
}

/** From each species with visits up to the species that it is a form of. */
const hubSpeciesSql = `
  WITH RECURSIVE kind AS (
    SELECT id, parent_id, name, scientific_name, ebird_code FROM species
    WHERE rank IN ('species', 'form') AND NOT generic
  ), line AS (
    SELECT kind.* FROM kind JOIN species_total ON species_id = kind.id WHERE visits > 0
    UNION
    SELECT kind.* FROM line JOIN kind ON kind.id = line.parent_id
  )
  SELECT name, scientific_name AS "scientificName", ebird_code AS "ebirdCode",
    ARRAY(SELECT key FROM species_alias WHERE species_id = line.id ORDER BY key) AS keys
  FROM line WHERE NOT EXISTS (SELECT 1 FROM kind WHERE kind.id = line.parent_id)
  ORDER BY name, id`;

/** The species with visits by name; forms are given as their species, generic ones left out. */
export async function listHubSpecies(pool: pg.Pool): Promise<readonly HubSpecies[]> {
  const { rows } = await pool.query<HubSpecies>({ name: 'hub-species', text: hubSpeciesSql });
  return rows;
}
