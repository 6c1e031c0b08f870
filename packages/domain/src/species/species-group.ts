/** Groups of species; `unknown` is for labels outside the tree. */
export const speciesGroups = ['bird', 'other_animal', 'noise', 'unknown'] as const;

/** One of {@link speciesGroups}. */
export type SpeciesGroup = (typeof speciesGroups)[number];

/** The groups with a root in the tree. */
export const storedGroups = ['bird', 'other_animal', 'noise'] as const;

/** One of {@link storedGroups}. */
export type StoredGroup = (typeof storedGroups)[number];

/** The root of the tree of each group. */
export const rootNames: Readonly<Record<StoredGroup, string>> = {
  bird: 'Birds',
  other_animal: 'Other animals',
  noise: 'Noise',
};

/** The names of the roots. */
export const groupRoots: readonly string[] = Object.values(rootNames);

/** SQL: whether visits of a species count in statistics of birds; `species` is its alias in the query. */
export const countedSql = (species = 'species'): string =>
  `(NOT ${species}.generic AND ${species}.species_group = 'bird')`;

/** Animals that are noise when they are only heard, because sound models report them as background sounds. */
const noiseWhenHeard = ['Dog', 'Human'] as const;

/** The part of a species tree that {@link isNoise} needs. */
interface GroupedTree {
  readonly nodes: ReadonlyMap<number, { readonly group: StoredGroup }>;
  find(label: string): number | undefined;
}

/** The part of a detection that {@link isNoise} needs. */
interface GroupedDetection {
  readonly source: 'video' | 'audio';
  /** Whether a person reviewed it. */
  readonly reviewed?: boolean;
}

/** Returns whether a detection of a species is noise, which has no visits. */
export function isNoise(
  tree: GroupedTree,
  speciesId: number,
  { source, reviewed = false }: GroupedDetection,
): boolean {
  if (tree.nodes.get(speciesId)?.group === 'noise') return true;
  return source === 'audio' && !reviewed && noiseWhenHeard.some((name) => tree.find(name) === speciesId);
}
