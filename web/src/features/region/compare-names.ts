import type { components } from '../../api/schema';
import { foldText } from '../../lib/rank-species';

type RegionComparison = components['schemas']['RegionComparison'];
type HubSpecies = components['schemas']['Species'];

/** A species of the comparison, with the hub's species if it has one. */
export interface RegionSpecies {
  /** Name at eBird or in the hub. */
  readonly name: string;
  readonly known: Pick<HubSpecies, 'id' | 'image_url'> | undefined;
}

/** Species of the hub and of its region in three lists. */
export interface RegionLists {
  readonly both: readonly RegionSpecies[];
  /** Common species of the region that the hub has not seen, most frequent first. */
  readonly onlyThere: readonly RegionSpecies[];
  readonly onlyHere: readonly RegionSpecies[];
}

/** Splits a comparison into lists and adds the hub's species by name. */
export function toLists(
  {
    matchedSpecies,
    regionTop,
    onlyHere,
  }: Pick<RegionComparison, 'matchedSpecies' | 'regionTop' | 'onlyHere'>,
  species: readonly Pick<HubSpecies, 'id' | 'name' | 'image_url'>[],
): RegionLists {
  const byName = new Map(species.map((one) => [one.name, one]));
  const withKnown = (names: readonly string[]) => names.map((name) => ({ name, known: byName.get(name) }));
  const here = new Set([...matchedSpecies, ...onlyHere]);
  return {
    both: withKnown(matchedSpecies),
    onlyThere: withKnown(regionTop.filter((name) => !here.has(name))),
    onlyHere: withKnown(onlyHere),
  };
}

/** Filters by the displayed name or eBird's name. */
export function findNames(
  species: readonly RegionSpecies[],
  typed: string,
  nameOf: (name: string) => string,
): RegionSpecies[] {
  const wanted = foldText(typed);
  return species.filter(
    ({ name }) => foldText(nameOf(name)).includes(wanted) || foldText(name).includes(wanted),
  );
}
