import type { components } from '../../api/schema';
import { foldText } from '../../lib/rank-species';

type RegionComparison = components['schemas']['RegionComparison'];
type HubSpecies = components['schemas']['Species'];

/** A species of the comparison; with what the hub knows of it where it knows it. */
export interface RegionSpecies {
  /** As eBird or the hub call it. */
  readonly name: string;
  readonly known: Pick<HubSpecies, 'id' | 'image_url'> | undefined;
}

/** The species of the hub and of its region, in three lists. */
export interface RegionLists {
  readonly both: readonly RegionSpecies[];
  /** Those seen most in the region that were never here, most first. */
  readonly onlyThere: readonly RegionSpecies[];
  readonly onlyHere: readonly RegionSpecies[];
}

/** Parts the names of a comparison into lists, each name with its species of the hub. */
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

/** Those whose name, as it is shown or as eBird has it, has the words that were typed. */
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
