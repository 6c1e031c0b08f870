import { HubError, invalidField } from '@birdhub/shared/errors';
import type { SpeciesTree } from './species-tree.js';

const unknown = (path: string) =>
  new HubError('species_not_found', { details: [{ path, message: 'names no species' }] });

const isSelfOrBelow = (tree: SpeciesTree, id: number, top: number) =>
  id === top || tree.ancestorsOf(id).includes(top);

/** @throws HubError species_not_found, invalid_request when the species would be its own ancestor, or is the root */
export function checkParent(
  tree: SpeciesTree,
  { id, rank }: { readonly id: number; readonly rank: string },
  parentId: number | null,
): void {
  if (rank === 'root') throw invalidField('/parent_id', 'must be left out: nothing is above the root');
  if (parentId === null) return;
  if (!tree.nodes.has(parentId)) throw unknown('/parent_id');
  if (isSelfOrBelow(tree, parentId, id))
    throw invalidField('/parent_id', 'is the species itself or below it');
}

/**
 * The species to merge into: the given one, or what that was merged into before.
 * @throws HubError species_not_found, invalid_request, conflict for a generic species, which labels always need
 */
export function checkMerge(tree: SpeciesTree, speciesId: number, given: number): number {
  const species = tree.nodes.get(speciesId);
  if (!species) throw new HubError('species_not_found');
  const into = tree.current(given);
  if (into === undefined) throw unknown('/into_species_id');
  if (species.generic)
    throw new HubError('conflict', { message: 'A generic species cannot become another one.' });
  if (isSelfOrBelow(tree, into, speciesId))
    throw invalidField('/into_species_id', 'is the species itself or below it');
  return into;
}
