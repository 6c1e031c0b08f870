import { type FindableSpecies, rankSpecies } from '../../lib/rank-species';
import type { GallerySearch } from './gallery-search';
import type { Family, ObservedSpecies, Species } from './species-queries';

/** Observed species by id. */
export type Observed = ReadonlyMap<number, ObservedSpecies>;

/** Filters and sorts species; a search text sorts by match. */
export function filterSpecies(
  species: readonly FindableSpecies[],
  { q, family, sort }: GallerySearch,
  familyOf: ReadonlyMap<number, number>,
  language: string,
  observed: Observed,
): FindableSpecies[] {
  const wanted = species.filter(({ species: { id } }) => family === undefined || familyOf.get(id) === family);
  if (q !== undefined && q.trim() !== '') return rankSpecies(wanted, q);
  const byName = (one: FindableSpecies, other: FindableSpecies) =>
    one.name.localeCompare(other.name, language);
  if (sort === 'name') return wanted.sort(byName);
  if (sort === 'recent') {
    const lastVisit = ({ species: { id } }: FindableSpecies) =>
      Date.parse(observed.get(id)?.last_visit_at ?? '') || 0;
    return wanted.sort((one, other) => lastVisit(other) - lastVisit(one) || byName(one, other));
  }
  return wanted.sort((one, other) => other.species.visits - one.species.visits || byName(one, other));
}

const newMs = 14 * 86_400_000;

/** Returns the ids of species first seen in the last two weeks; none on a new hub, where that would be all. */
export function listNew(observed: Observed, now: Date): Set<number> {
  const firsts = [...observed.values()].map((one) => ({ id: one.id, at: Date.parse(one.first_visit_at) }));
  const since = now.getTime() - newMs;
  if (!firsts.some(({ at }) => at < since - newMs)) return new Set();
  return new Set(firsts.filter(({ at }) => at >= since).map(({ id }) => id));
}

/** Maps ids of species to ids of families; species without a family are omitted. */
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

/** Removes families, generic labels, noise, and non-birds: all of them, or only those never observed. */
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
