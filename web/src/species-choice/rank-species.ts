import type { components } from '../api/schema';

export type Species = components['schemas']['Species'];

/** A species and all that it can be found by, written as `foldText` does. */
export interface FindableSpecies {
  readonly species: Species;
  /** Its name in the page's language. */
  readonly name: string;
  readonly keys: readonly string[];
}

/** Text for comparing: without diacritics, case and punctuation. */
export function foldText(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}|['’ʼ]/gu, '')
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Makes species findable by their name in the page's language, in English and in Latin. */
export function toFindable(species: readonly Species[], nameOf: (name: string) => string): FindableSpecies[] {
  return species.map((one) => {
    const name = nameOf(one.name);
    const keys = new Set([name, one.name, one.scientific_name ?? ''].map(foldText));
    return { species: one, name, keys: [...keys].filter(Boolean) };
  });
}

/** How well a key answers what was typed: 3 begins with it, 2 has words that begin so, 1 has it within, 0 not. */
function fit(key: string, typed: string): number {
  if (key.startsWith(typed)) return 3;
  const words = key.split(' ');
  if (typed.split(' ').every((part) => words.some((word) => word.startsWith(part)))) return 2;
  return key.includes(typed) ? 1 : 0;
}

/** What is seen more comes first; what the processor looks for before what it does not. */
function byUse(one: FindableSpecies, other: FindableSpecies): number {
  return (
    Number(other.species.active) - Number(one.species.active) ||
    other.species.visits - one.species.visits ||
    one.name.localeCompare(other.name)
  );
}

/** The species that a text may mean, the likeliest first: those of `likely` (ids), then what is seen here. */
export function rankSpecies(
  species: readonly FindableSpecies[],
  text: string,
  likely: readonly number[] = [],
): FindableSpecies[] {
  const typed = foldText(text);
  const places = new Map(likely.map((id, place) => [id, place]));
  const place = ({ species: { id } }: FindableSpecies) => places.get(id) ?? likely.length;
  return species
    .map((one) => ({ one, fit: Math.max(0, ...one.keys.map((key) => fit(key, typed))) }))
    .filter((found) => found.fit > 0)
    .sort((a, b) => b.fit - a.fit || place(a.one) - place(b.one) || byUse(a.one, b.one))
    .map(({ one }) => one);
}
