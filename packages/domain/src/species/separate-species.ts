import { inTransaction, type Send } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import { outboxRow } from '@birdhub/shared/outbox';
import type pg from 'pg';
import {
  attachSpecies,
  beginRegrouping,
  detachSpecies,
  settleRegrouping,
  splitVisits,
  withAncestors,
} from '../visits/regroup-visits.js';
import { tellOfChange } from './changes.store.js';
import { turnTree } from './edits.store.js';
import { beginSpeciesChange, type MergeResult } from './merge-species.js';
import { giveBack, listReturning, lockMerge, type Merge } from './merges.store.js';
import type { SpeciesEditorDependencies } from './species-editor.js';
import type { SpeciesTree } from './species-tree.js';

const conflict = (message: string) => new HubError('conflict', { message });

async function getMerge(client: pg.ClientBase, mergeId: number, tree: SpeciesTree): Promise<Merge> {
  const merge = await lockMerge(client, mergeId);
  if (!merge) throw new HubError('merge_not_found');
  if (merge.isReverted) throw conflict('This merge was taken back already.');
  if (tree.current(merge.speciesId) !== merge.intoSpeciesId)
    throw conflict('A later merge of these species has to be taken back first.');
  return merge;
}

/** Where the species was in the tree, as that is now. */
function parentNow({ parentId, childIds }: Merge, tree: SpeciesTree): number | null {
  const parent = parentId === null ? null : (tree.current(parentId) ?? null);
  if (parent === null) return null;
  const above = [parent, ...tree.ancestorsOf(parent)];
  if (above.some((id) => childIds.includes(id)))
    throw conflict('The species would stand above its own parent, which was moved since.');
  return parent;
}

/**
 * Takes a merge back: detections that it moved go back, but for those that people have looked at since.
 * @throws HubError merge_not_found, conflict
 */
export async function separateSpecies(
  { pool, directory, notifier }: SpeciesEditorDependencies,
  mergeId: number,
  requestId: string,
): Promise<MergeResult> {
  async function write(client: pg.ClientBase, send: Send): Promise<number> {
    const tree = await directory.readTree(client);
    const merge = await getMerge(client, mergeId, tree);
    const { speciesId, intoSpeciesId } = merge;
    const parentId = parentNow(merge, tree);
    const kin = [
      speciesId,
      ...withAncestors(tree, [intoSpeciesId, ...(parentId === null ? [] : [parentId])]),
    ];
    const regrouping = await beginRegrouping(client, send);
    await detachSpecies(regrouping, kin);
    const { detectionIds, visits } = await listReturning(client, mergeId);
    await splitVisits(regrouping, { visits, leaving: new Set(detectionIds), to: speciesId });
    await giveBack(client, merge, parentId);
    await turnTree(client);
    await attachSpecies(regrouping, await directory.readTree(client), kin);
    settleRegrouping(regrouping);
    const ids = { merge_id: mergeId, species_id: speciesId, into_species_id: intoSpeciesId };
    const data = { ...ids, detections: detectionIds.length };
    const event = outboxRow('hub.v1.species.separated', 'species', data, requestId);
    await tellOfChange(client, { type: 'species_merge_reverted', data }, event);
    return detectionIds.length;
  }

  const movedDetections = await inTransaction(pool, write, beginSpeciesChange);
  directory.forget();
  notifier.notify({ kind: 'everything' });
  return { mergeId, movedDetections };
}
