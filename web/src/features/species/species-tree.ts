import type { Family, Species } from './species-queries';

/** The family that each species belongs to, by ids; those without one are not there. */
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

/** Labels that say only that there was a bird. */
const generic = new Set(['Bird', 'Birds', 'Unknown']);

/** The kinds of birds among what the hub calls species: without families and without what is no kind. */
export function kindsOnly(species: readonly Species[], families: readonly Family[]): Species[] {
  const familyIds = new Set(families.map(({ id }) => id));
  return species.filter(({ id, name }) => !familyIds.has(id) && !generic.has(name));
}
