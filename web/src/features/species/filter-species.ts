import { type FindableSpecies, rankSpecies } from '../../lib/rank-species';
import type { GallerySearch } from './gallery-search';

/** The species that the gallery shows, in its order: what is searched for by how well it fits. */
export function filterSpecies(
  species: readonly FindableSpecies[],
  { q, family, sort }: GallerySearch,
  familyOf: ReadonlyMap<number, number>,
  language: string,
): FindableSpecies[] {
  const wanted = species.filter(({ species: { id } }) => family === undefined || familyOf.get(id) === family);
  if (q !== undefined && q.trim() !== '') return rankSpecies(wanted, q);
  const byName = (one: FindableSpecies, other: FindableSpecies) =>
    one.name.localeCompare(other.name, language);
  if (sort === 'name') return wanted.sort(byName);
  return wanted.sort((one, other) => other.species.visits - one.species.visits || byName(one, other));
}
