import { inTransaction, lockKeys, type Send } from '@birdhub/shared/db';
import { outboxRow } from '@birdhub/shared/outbox';
import type pg from 'pg';
import {
  attachSpecies,
  beginRegrouping,
  detachSpecies,
  giveAllVisits,
  joinVisits,
  settleRegrouping,
  withAncestors,
} from '../visits/regroup-visits.js';
import { beginAlone } from '../visits/writer-locks.js';
import { tellOfChange } from './changes.store.js';
import { turnTree } from './edits.store.js';
import { recordMerge, takePlace } from './merges.store.js';
import type { SpeciesEditorDependencies } from './species-editor.js';
import { checkMerge } from './species-tree.js';

/** What a merge, or taking one back, moved. */
export interface MergeResult {
  readonly mergeId: number;
  readonly movedDetections: number;
}

/** Opens a transaction in which nobody else writes visits or gives names. */
export const beginSpeciesChange = `${beginAlone}; SELECT pg_advisory_xact_lock(${lockKeys.speciesNames})`;

/**
 * Makes a species another one, in one transaction. Visits keep their ids; those that are one by the visit rule then
 * become one. The row of the species stays, so that the merge can be taken back.
 * @throws HubError species_not_found, invalid_request, conflict
 */
export async function mergeSpecies(
  { pool, directory, notifier }: SpeciesEditorDependencies,
  speciesId: number,
  given: number,
  requestId: string,
): Promise<MergeResult> {
  async function write(client: pg.ClientBase, send: Send) {
    const tree = await directory.readTree(client);
    const into = checkMerge(tree, speciesId, given);
    const kin = withAncestors(tree, [speciesId, into]);
    const regrouping = await beginRegrouping(client, send);
    await detachSpecies(regrouping, kin);
    const merge = await recordMerge(client, speciesId, into);
    await giveAllVisits(regrouping, speciesId, into);
    await joinVisits(regrouping, into);
    await takePlace(client, speciesId, into);
    await turnTree(client);
    await attachSpecies(regrouping, await directory.readTree(client), kin);
    settleRegrouping(regrouping);
    const { id, detections } = merge;
    const data = { merge_id: id, species_id: speciesId, into_species_id: into, detections };
    const event = outboxRow('hub.v1.species.merged', 'species', data, requestId);
    await tellOfChange(client, { type: 'species_merged', data }, event);
    return { mergeId: id, movedDetections: detections };
  }

  const result = await inTransaction(pool, write, beginSpeciesChange);
  directory.forget();
  notifier.notify({ kind: 'everything' });
  return result;
}
