import { isSameEpithet, otherScientificKeys } from './earlier-names.js';
import type { LabelReading } from './labels.js';
import { isOtherBirdIn, type Region, regionalKey } from './region.js';
import { speciesKey } from './species-names.js';

/** The names and code of a species. */
export interface NamedSpecies {
  readonly name: string;
  readonly parentId: number | null;
  readonly generic: boolean;
  readonly scientificName: string | null;
  readonly ebirdCode: string | null;
}

/** Species by their spellings and codes. */
export interface KnownNames {
  readonly region: Region;
  speciesOfKey(key: string): number | undefined;
  speciesOfCode(code: string): number | undefined;
  node(id: number): NamedSpecies | undefined;
}

/** The ways in which a label can match a species. */
export const labelMatches = [
  'name',
  'pair',
  'scientific_name',
  'common_name',
  'form',
  'earlier_name',
  'subspecies',
  'plumage',
  'regional_name',
  'ebird_code',
  'higher_rank',
  'checklist',
] as const;

/** One of {@link labelMatches}. */
export type LabelMatch = (typeof labelMatches)[number];

/** The species that a label means. */
export interface FoundLabel {
  readonly id: number;
  readonly by: LabelMatch;
  readonly plumage: string | null;
  /** Whether all names of the label refer to a species; otherwise the missing ones can be learnt from it. */
  readonly isLearned: boolean;
}

/** Finds the species of a label; undefined when it is unknown. */
export function findLabel(given: LabelReading, names: KnownNames): FoundLabel | undefined {
  const reading = orientReading(given, (key) => findBinomial(key, names) !== undefined);
  const ofKey = findKey(reading.key, names);
  const { pair, plumage } = reading;
  if (ofKey !== undefined) {
    const isLearned =
      !pair ||
      [pair.scientificKey, ...commonKeyOf(pair)].every((key) => names.speciesOfKey(key) !== undefined);
    return { id: ofKey, by: matchOf(reading.key, ofKey, names), plumage, isLearned };
  }
  return pair ? findPair(reading, pair, names) : findName(reading, names);
}

/** Returns the reading, or the reversed one when only that has a known scientific name. */
export function orientReading(reading: LabelReading, isScientific: (key: string) => boolean): LabelReading {
  const { pair, reversed } = reading;
  if (!pair || !reversed?.pair || isScientific(pair.scientificKey)) return reading;
  return isScientific(reversed.pair.scientificKey) ? reversed : reading;
}

/** Returns the species of a name, unless the name means another species in the region. */
function findKey(key: string, names: KnownNames): number | undefined {
  const id = names.speciesOfKey(key);
  if (id === undefined || !isOtherBirdIn(key, names.region)) return id;
  const { name, generic } = names.node(id) ?? {};
  const isOwn = generic || name === undefined || speciesKey(name) === key;
  const other = regionalKey(key, names.region);
  return isOwn || other === undefined || names.speciesOfKey(other) === undefined ? id : undefined;
}

type Pair = NonNullable<LabelReading['pair']>;

/** The common name without a form in brackets. */
const commonKeyOf = ({ commonKeys }: Pair) => commonKeys.slice(-1);

function findPair(reading: LabelReading, pair: Pair, names: KnownNames): FoundLabel | undefined {
  const { plumage } = reading;
  const ofSplit = regionalKey(`${pair.scientificKey} ${pair.commonKeys.at(-1)}`, names.region);
  const split = ofSplit === undefined ? undefined : names.speciesOfKey(ofSplit);
  if (split !== undefined) return { id: split, by: 'regional_name', plumage, isLearned: true };
  const common = findCommon(pair, names);
  const regional = regionalKey(pair.scientificKey, names.region);
  const scientific =
    findScientific(pair.scientificKey, names) ??
    (regional === undefined ? undefined : findScientific(regional, names));
  if (scientific !== undefined) {
    const form = pair.commonKeys
      .map((key) => names.speciesOfKey(key))
      .find((id) => id !== undefined && names.node(id)?.parentId === scientific.id);
    const isLearned = isPairLearned(pair, scientific.id, names);
    return { id: form ?? scientific.id, by: 'pair', plumage, isLearned };
  }
  if (common !== undefined && isSameBird(pair.scientificName, names.node(common)))
    return { id: common, by: 'pair', plumage, isLearned: false };
  const subspecies = findSubspecies(reading, names);
  if (!subspecies) return undefined;
  return {
    id: subspecies.id,
    by: 'subspecies',
    plumage,
    isLearned: isPairLearned(pair, subspecies.id, names),
  };
}

/**
 * Returns the species of a trinomial name: the one that the subspecies was split into, or that of the first two words.
 * A checklist takes precedence until the label itself is learnt.
 */
function findSubspecies(
  { binomialKey, splitKey }: LabelReading,
  names: KnownNames,
): { readonly id: number; readonly isCertain: boolean } | undefined {
  const split = splitKey === undefined ? undefined : findBinomial(splitKey, names);
  if (split !== undefined) return { id: split, isCertain: true };
  const id = binomialKey === undefined ? undefined : findBinomial(binomialKey, names);
  if (id === undefined) return undefined;
  const [genus] = speciesKey(names.node(id)?.scientificName ?? '').split(' ');
  const moved = splitKey === undefined ? undefined : `${genus} ${splitKey.split(' ')[1]}`;
  const own = moved === undefined ? undefined : findBinomial(moved, names);
  return own === undefined ? { id, isCertain: splitKey === undefined } : { id: own, isCertain: true };
}

/** Returns whether nothing can be learnt from a pair, because both of its names already refer to a species. */
function isPairLearned(pair: Pair, id: number, names: KnownNames): boolean {
  if (names.speciesOfKey(pair.scientificKey) === undefined) return false;
  return commonKeyOf(pair).every((key) => {
    const owner = names.speciesOfKey(key);
    if (owner === undefined) return false;
    return owner === id || !isNameless(names.node(owner));
  });
}

/** Returns the species to which the common name of a pair refers. */
function findCommon({ commonKeys }: Pair, names: KnownNames): number | undefined {
  for (const key of commonKeys) {
    const id = names.speciesOfKey(key);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Returns the species of a scientific name, current or earlier. */
export function findScientific(
  key: string,
  names: KnownNames,
): { readonly id: number; readonly isEarlier: boolean } | undefined {
  const own = names.speciesOfKey(key);
  if (own !== undefined) return { id: own, isEarlier: false };
  for (const other of otherScientificKeys(key)) {
    const id = names.speciesOfKey(other);
    if (id !== undefined) return { id, isEarlier: true };
  }
  return undefined;
}

/** Matches only scientific names, because two words of a common name are often the name of another bird. */
function findBinomial(key: string, names: KnownNames): number | undefined {
  const id = findScientific(key, names)?.id;
  const { scientificName } = (id === undefined ? undefined : names.node(id)) ?? {};
  if (id === undefined || scientificName == null) return undefined;
  const own = speciesKey(scientificName);
  return own === key || otherScientificKeys(key).includes(own) || isSameEpithet(own, key) ? id : undefined;
}

/**
 * Returns whether the species of a pair's common name may be that of its scientific name: it has no scientific name yet,
 * or was moved to another genus.
 */
export function isSameBird(scientificName: string, species: NamedSpecies | undefined): boolean {
  if (!species || species.generic) return false;
  return species.scientificName === null || isSameEpithet(scientificName, species.scientificName);
}

/** Returns whether a species was created from a label, of which only names are known. */
export function isNameless(species: NamedSpecies | undefined): boolean {
  return (
    species !== undefined &&
    !species.generic &&
    species.parentId === null &&
    species.scientificName === null &&
    species.ebirdCode === null
  );
}

function findName(reading: LabelReading, names: KnownNames): FoundLabel | undefined {
  const { keys, plumage, looseKeys, higherKeys } = reading;
  const found = (id: number, by: LabelMatch, words = plumage): FoundLabel => ({
    id,
    by,
    plumage: words,
    isLearned: true,
  });
  for (const [at, key] of keys.entries()) {
    const id = findKey(key, names);
    if (id !== undefined) return found(id, at > 0 && at < keys.length - 1 ? 'form' : matchOf(key, id, names));
  }
  for (const key of keys) {
    const earlier = findScientific(key, names);
    if (earlier?.isEarlier) return found(earlier.id, 'earlier_name');
  }
  for (const key of keys) {
    const regional = regionalKey(key, names.region);
    const id = regional === undefined ? undefined : findScientific(regional, names)?.id;
    if (id !== undefined) return found(id, 'regional_name');
  }
  const subspecies = findSubspecies(reading, names);
  if (subspecies) return { ...found(subspecies.id, 'subspecies'), isLearned: subspecies.isCertain };
  for (const { key, plumage: words } of looseKeys) {
    const id = findKey(key, names);
    if (id === undefined) continue;
    if (words === '') return found(id, matchOf(key, id, names));
    return found(id, 'plumage', plumage === null ? words : `${plumage} ${words}`);
  }
  const code = names.speciesOfCode(reading.key);
  if (code !== undefined) return found(code, 'ebird_code');
  const higher = higherKeys.map((key) => names.speciesOfKey(key)).find((id) => id !== undefined);
  return higher === undefined ? undefined : found(higher, 'higher_rank');
}

function matchOf(key: string, id: number, names: KnownNames): LabelMatch {
  const { name, scientificName } = names.node(id) ?? {};
  if (scientificName != null && speciesKey(scientificName) === key) return 'scientific_name';
  return name !== undefined && speciesKey(name) === key ? 'name' : 'common_name';
}
