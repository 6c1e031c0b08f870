import { HubError, invalidField } from '@birdhub/shared/errors';
import { labelCandidates } from './species-names.js';

/** A species as writers need it. */
export interface SpeciesNode {
  readonly id: number;
  readonly name: string;
  readonly parentId: number | null;
  readonly generic: boolean;
}

/** The species tree and every spelling, as one process holds them. */
export interface SpeciesTree {
  /** Increases with each change of parents and each merge; visits made under another revision may be wrong. */
  readonly revision: number;
  readonly nodes: ReadonlyMap<number, SpeciesNode>;
  /** Returns the parent, its parent and so on to the root. */
  ancestorsOf(id: number): number[];
  childrenOf(id: number): readonly number[];
  /** Returns the species that a detector's label means. */
  find(label: string): number | undefined;
  /** Returns the species itself or the one that it was merged into; undefined when there is none. */
  current(id: number): number | undefined;
}

/** The rows that a tree is built from. */
export interface TreeRows {
  readonly revision: number;
  readonly nodes: readonly SpeciesNode[];
  /** Spelling to species. */
  readonly aliases: ReadonlyMap<string, number>;
  /** Merged species, to the one that they are now; they are not among the nodes. */
  readonly merged: ReadonlyMap<number, number>;
}

/** Detectors use some hundred labels; the limit is for callers that send ever new ones. */
const maxRemembered = 2_000;

/** Remembers what labels were found to mean: to compare spellings takes longer than all else that a label goes through. */
function remembering(find: (label: string) => number | undefined): SpeciesTree['find'] {
  const found = new Map<string, number>();
  return (label) => {
    const known = found.get(label);
    if (known !== undefined) return known;
    const id = find(label);
    if (found.size >= maxRemembered) found.clear();
    if (id !== undefined) found.set(label, id);
    return id;
  };
}

/** Indexes species by parent and by spelling. */
export function buildSpeciesTree({ revision, nodes: rows, aliases, merged }: TreeRows): SpeciesTree {
  const nodes = new Map(rows.map((row) => [row.id, row]));
  const children = new Map<number, number[]>();
  for (const { id, parentId } of rows) {
    if (parentId === null) continue;
    const siblings = children.get(parentId);
    if (siblings) siblings.push(id);
    else children.set(parentId, [id]);
  }
  const ancestorsOf = (id: number) => {
    const ancestors: number[] = [];
    for (let at = nodes.get(id)?.parentId; at != null; at = nodes.get(at)?.parentId) ancestors.push(at);
    return ancestors;
  };
  const find = remembering((label) => {
    for (const key of labelCandidates(label)) {
      const id = aliases.get(key);
      if (id !== undefined) return id;
    }
    return undefined;
  });
  const current = (id: number) => merged.get(id) ?? (nodes.has(id) ? id : undefined);
  return { revision, nodes, ancestorsOf, childrenOf: (id) => children.get(id) ?? [], find, current };
}

const notFound = (path: string) =>
  new HubError('species_not_found', { details: [{ path, message: 'names no species' }] });

const isSelfOrBelow = (tree: SpeciesTree, id: number, top: number) =>
  id === top || tree.ancestorsOf(id).includes(top);

/** Checks a new parent. @throws HubError species_not_found, invalid_request when the species would be its own ancestor, or is the root */
export function checkParent(
  tree: SpeciesTree,
  { id, rank }: { readonly id: number; readonly rank: string },
  parentId: number | null,
): void {
  if (rank === 'root') throw invalidField('/parent_id', 'must be left out: nothing is above the root');
  if (parentId === null) return;
  if (!tree.nodes.has(parentId)) throw notFound('/parent_id');
  if (isSelfOrBelow(tree, parentId, id))
    throw invalidField('/parent_id', 'is the species itself or below it');
}

/**
 * Returns the species to merge into: the given one, or what that was merged into before.
 * @throws HubError species_not_found, invalid_request, conflict for a generic species, which labels always need
 */
export function checkMerge(tree: SpeciesTree, speciesId: number, given: number): number {
  const species = tree.nodes.get(speciesId);
  if (!species) throw new HubError('species_not_found');
  const into = tree.current(given);
  if (into === undefined) throw notFound('/into_species_id');
  if (species.generic)
    throw new HubError('conflict', { message: 'A generic species cannot become another one.' });
  if (isSelfOrBelow(tree, into, speciesId))
    throw invalidField('/into_species_id', 'is the species itself or below it');
  return into;
}
