import type { components } from '../api/schema';

export type Species = components['schemas']['Species'];

/** A species with its search keys, folded by `foldText`. */
export interface FindableSpecies {
  readonly species: Species;
  /** Its name in the page's language. */
  readonly name: string;
  readonly keys: readonly string[];
}

/** Removes diacritics, case and punctuation for comparison. */
export function foldText(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}|['’ʼ]/gu, '')
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Adds search keys: the name in the page's language, in English and in Latin. */
export function toFindable(species: readonly Species[], nameOf: (name: string) => string): FindableSpecies[] {
  return species.map((one) => {
    const name = nameOf(one.name);
    const keys = new Set([name, one.name, one.scientific_name ?? ''].map(foldText));
    return { species: one, name, keys: [...keys].filter(Boolean) };
  });
}

/** Rates a match: 3 starts with the text, 2 has words that start with its words, 1 contains it, 0 no match. */
function fit(key: string, typed: string): number {
  if (key.startsWith(typed)) return 3;
  const words = key.split(' ');
  if (typed.split(' ').every((part) => words.some((word) => word.startsWith(part)))) return 2;
  return key.includes(typed) ? 1 : 0;
}

/** Species that the detector looks for first, then by visits, then by name. */
function compareByUse(one: FindableSpecies, other: FindableSpecies): number {
  return (
    Number(other.species.active) - Number(one.species.active) ||
    other.species.visits - one.species.visits ||
    one.name.localeCompare(other.name)
  );
}

/** Returns species that match a text, best match first; `likely` (ids) breaks ties before visits. */
export function rankSpecies(
  species: readonly FindableSpecies[],
  text: string,
  likely: readonly number[] = [],
): FindableSpecies[] {
  const typed = foldText(text);
  const ranks = new Map(likely.map((id, index) => [id, index]));
  const rank = ({ species: { id } }: FindableSpecies) => ranks.get(id) ?? likely.length;
  return species
    .map((one) => ({ one, fit: Math.max(0, ...one.keys.map((key) => fit(key, typed))) }))
    .filter((found) => found.fit > 0)
    .sort((a, b) => b.fit - a.fit || rank(a.one) - rank(b.one) || compareByUse(a.one, b.one))
    .map(({ one }) => one);
}
