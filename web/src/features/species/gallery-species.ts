import { type FindableSpecies, rankSpecies } from '../../lib/rank-species';
import type { GallerySearch } from './gallery-search';
import type { Family, Species } from './species-queries';

/** Filters and sorts species; a search text sorts by match. */
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

/** Maps ids of species to ids of families; species without a family are left out. */
export function familyOfEach(species: readonly Species[], families: readonly Family[]): Map<number, number> {
  const familyIds = new Set(families.map(({ id }) => id));
  const parents = new Map(species.map(({ id, parent_id }) => [id, parent_id]));
  const found = new Map<number, number>();
  for (const { id } of species) {
    const seen = new Set<number>();
    let at: number | null | undefined = id;
    while (typeof at === 'number' && !familyIds.has(at) && !seen.has(at)) {
      seen.add(at);
      at = parents.get(at);
    }
    if (typeof at === 'number' && at !== id && familyIds.has(at)) found.set(id, at);
  }
  return found;
}

/** Generic labels. */
const generic = new Set(['Bird', 'Birds', 'Unknown']);

/** Removes families, generic labels, noise, and animals that are no birds: all, or those that were never here. */
export function listKinds(
  species: readonly Species[],
  families: readonly Family[],
  areAnimalsHidden: boolean,
): Species[] {
  const familyIds = new Set(families.map(({ id }) => id));
  const isShown = ({ group, visits }: Species) =>
    group === 'bird' || (group === 'other_animal' && !areAnimalsHidden && visits > 0);
  return species.filter((one) => !familyIds.has(one.id) && !generic.has(one.name) && isShown(one));
}
