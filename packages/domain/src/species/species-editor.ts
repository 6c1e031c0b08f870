import { lockKeys, type Send } from '@birdhub/shared/db';
import { type ErrorDetail, errorOf, HubError, refuse, refused } from '@birdhub/shared/errors';
import { type CommitDeps, commit, outboxRow, type WriteTransaction } from '@birdhub/shared/outbox';
import type pg from 'pg';
import { beginExclusive } from '../visits/locks.js';
import {
  attachSpecies,
  beginRegrouping,
  detachSpecies,
  joinVisits,
  moveAllVisits,
  settleRegrouping,
  splitVisits,
  withAncestors,
} from '../visits/regroup.js';
import type { SpeciesDirectory, SpeciesNode, SpeciesTree } from './directory.js';
import {
  claimSpelling,
  columnOf,
  type EditedSpecies,
  findByEbirdCode,
  increaseTreeRevision,
  listReturning,
  lockMerge,
  lockSpecies,
  logChange,
  type Merge,
  moveReferences,
  recordMerge,
  restoreReferences,
  type SpeciesPatch,
  updateSpecies,
} from './species.store.js';
import { rootNames } from './species-group.js';
import { normaliseSpeciesName, speciesKey } from './species-names.js';

/** Dependencies of the editor. */
export interface SpeciesEditorDeps extends CommitDeps {
  readonly directory: SpeciesDirectory;
}

/** Result of an edit. */
export interface EditResult {
  /** The edited species, or its merge target. */
  readonly speciesId: number;
}

/** Result of a merge or its reversal. */
export interface MergeResult {
  readonly mergeId: number;
  readonly movedDetections: number;
}

const takeNames = `SELECT pg_advisory_xact_lock(${lockKeys.speciesNames})`;

/** Opens a transaction that excludes all other writers of visits and species names. */
const beginSpeciesChange = `${beginExclusive}; ${takeNames}`;

/** The only writer of species edits, and of the resulting changes of detections and visits. */
export class SpeciesEditor {
  readonly #deps: SpeciesEditorDeps;

  constructor(deps: SpeciesEditorDeps) {
    this.#deps = deps;
  }

  /**
   * Edits a species. Its previous names still refer to it; a change of its parent changes visits.
   * @throws HubError species_not_found, invalid_request, conflict
   */
  async edit(given: number, raw: SpeciesPatch, requestId: string, token?: string): Promise<EditResult> {
    const { directory } = this.#deps;
    const patch = normalise(raw);
    const begin = `${patch.parentId === undefined ? 'BEGIN' : beginExclusive}; ${takeNames}`;

    async function write({ client, send, publish, changed }: WriteTransaction) {
      const tree = await directory.readTree(client);
      const before = await lockSpecies(client, tree.current(given) ?? 0);
      if (!before) throw new HubError('species_not_found');
      const fields = changedFields(before, patch);
      if (!fields.length) return { speciesId: before.id, isChanged: false };
      const { parentId, ...rest } = patch;
      const isMoved = parentId !== undefined && fields.includes('parentId');
      if (isMoved) checkParent(tree, before, parentId);
      await claimNames(client, before.id, patch, tree);
      if (Object.keys(rest).length) await updateSpecies(client, before.id, rest);
      if (isMoved)
        await moveInTree({ client, send, tree }, before, parentId, () => directory.readTree(client));
      const data = { species_id: before.id, fields: fields.map(columnOf), visits_changed: isMoved };
      await logChange(client, 'species_edited', { ...data, token });
      publish(outboxRow('hub.v1.species.edited', 'species', data, requestId));
      changed({ kind: isMoved ? 'everything' : 'species' });
      return { speciesId: before.id, isChanged: true };
    }

    const { speciesId, isChanged } = await commit(this.#deps, write, begin);
    if (isChanged) directory.forget();
    return { speciesId };
  }

  /**
   * Merges a species into another one in one transaction. Visits keep their ids, except those that have to be joined
   * according to the visit rule. The row of the species stays, so that the merge can be reverted.
   * @throws HubError species_not_found, invalid_request, conflict
   */
  async merge(speciesId: number, given: number, requestId: string, token?: string): Promise<MergeResult> {
    const { directory } = this.#deps;
    async function write({ client, send, publish, changed }: WriteTransaction) {
      const tree = await directory.readTree(client);
      const into = checkMerge(tree, speciesId, given);
      const kin = withAncestors(tree, [speciesId, into]);
      const regrouping = await beginRegrouping(client, send);
      await detachSpecies(regrouping, kin);
      const merge = await recordMerge(client, speciesId, into);
      await moveAllVisits(regrouping, speciesId, into);
      await joinVisits(regrouping, into);
      await moveReferences(client, speciesId, into);
      await increaseTreeRevision(client);
      await attachSpecies(regrouping, await directory.readTree(client), kin);
      settleRegrouping(regrouping);
      const { id, detections } = merge;
      const data = { merge_id: id, species_id: speciesId, into_species_id: into, detections };
      await logChange(client, 'species_merged', { ...data, token });
      publish(outboxRow('hub.v1.species.merged', 'species', data, requestId));
      changed({ kind: 'everything' });
      return { mergeId: id, movedDetections: detections };
    }

    const result = await commit(this.#deps, write, beginSpeciesChange);
    directory.forget();
    return result;
  }

  /**
   * Reverts a merge: moves detections back, except those that were reviewed since.
   * @throws HubError merge_not_found, conflict
   */
  async separate(mergeId: number, requestId: string, token?: string): Promise<MergeResult> {
    const { directory } = this.#deps;
    async function write({ client, send, publish, changed }: WriteTransaction): Promise<number> {
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
      await restoreReferences(client, merge, parentId);
      await increaseTreeRevision(client);
      await attachSpecies(regrouping, await directory.readTree(client), kin);
      settleRegrouping(regrouping);
      const ids = { merge_id: mergeId, species_id: speciesId, into_species_id: intoSpeciesId };
      const data = { ...ids, detections: detectionIds.length };
      await logChange(client, 'species_merge_reverted', { ...data, token });
      publish(outboxRow('hub.v1.species.separated', 'species', data, requestId));
      changed({ kind: 'everything' });
      return detectionIds.length;
    }

    const movedDetections = await commit(this.#deps, write, beginSpeciesChange);
    directory.forget();
    return { mergeId, movedDetections };
  }
}

const taken = (detail: ErrorDetail) =>
  new HubError('conflict', { message: `${detail.path.slice(1)}: ${detail.message}`, details: [detail] });

async function claimNames(client: pg.ClientBase, id: number, patch: SpeciesPatch, tree: SpeciesTree) {
  const given = { '/name': patch.name, '/scientific_name': patch.scientificName };
  for (const [path, name] of Object.entries(given)) {
    if (name == null) continue;
    const owner = await claimSpelling(client, speciesKey(name), id);
    if (owner !== id)
      throw taken(refuse(path, 'name_of_species', { species: tree.nodes.get(owner)?.name ?? '' }));
  }
  if (patch.ebirdCode == null) return;
  const owner = await findByEbirdCode(client, patch.ebirdCode);
  if (owner !== undefined && owner !== id) throw taken(refuse('/ebird_code', 'ebird_code_taken'));
}

function normalise(patch: SpeciesPatch): SpeciesPatch {
  const { name, scientificName } = patch;
  return {
    ...patch,
    ...(name !== undefined && { name: normaliseSpeciesName(name) }),
    ...(scientificName != null && { scientificName: normaliseSpeciesName(scientificName) }),
  };
}

function changedFields(before: EditedSpecies, patch: SpeciesPatch): (keyof SpeciesPatch)[] {
  const fields = Object.keys(patch) as (keyof SpeciesPatch)[];
  return fields.filter((field) => patch[field] !== before[field]);
}

/** One step of a transaction on species. */
interface Step {
  readonly client: pg.ClientBase;
  readonly send: Send;
  readonly tree: SpeciesTree;
}

/** Sets the parent; audio-only runs of the old and new ancestors are attached according to the changed tree. */
async function moveInTree(
  { client, send, tree }: Step,
  { id, parentId: from }: EditedSpecies,
  to: number | null,
  readTree: () => Promise<SpeciesTree>,
): Promise<void> {
  const kin = withAncestors(
    tree,
    [from, to].flatMap((parent) => parent ?? []),
  );
  const regrouping = await beginRegrouping(client, send);
  await detachSpecies(regrouping, kin);
  await updateSpecies(client, id, { parentId: to });
  await increaseTreeRevision(client);
  await attachSpecies(regrouping, await readTree(), kin);
  settleRegrouping(regrouping);
}

const conflict = (message: string) => new HubError('conflict', { message });

async function getMerge(client: pg.ClientBase, mergeId: number, tree: SpeciesTree): Promise<Merge> {
  const merge = await lockMerge(client, mergeId);
  if (!merge) throw new HubError('merge_not_found');
  if (merge.isReverted) throw conflict('This merge was already reverted.');
  if (tree.current(merge.speciesId) !== merge.intoSpeciesId)
    throw conflict('A later merge of these species must be reverted first.');
  return merge;
}

/** Returns the former parent of a merged species in the current tree. */
function parentNow({ parentId, childIds }: Merge, tree: SpeciesTree): number | null {
  const parent = parentId === null ? null : (tree.current(parentId) ?? null);
  if (parent === null) return null;
  const above = [parent, ...tree.ancestorsOf(parent)];
  if (above.some((id) => childIds.includes(id)))
    throw conflict('The species would stand above its own parent, which was moved since.');
  return parent;
}

/** Returns whether a species is the root of a group, which labels always need. */
const isRoot = ({ name, parentId, group }: SpeciesNode) => parentId === null && rootNames[group] === name;

const notFound = (path: string) =>
  new HubError('species_not_found', { details: [refuse(path, 'no_species')] });

const cannotMerge = (code: 'generic_species' | 'noise_species') =>
  errorOf('conflict', refuse('/into_species_id', code));

const isSelfOrBelow = (tree: SpeciesTree, id: number, top: number) =>
  id === top || tree.ancestorsOf(id).includes(top);

/**
 * Checks a new parent.
 * @throws HubError species_not_found, invalid_request when the species is the root or would become its own ancestor
 */
function checkParent(
  tree: SpeciesTree,
  { id, rank }: { readonly id: number; readonly rank: string },
  parentId: number | null,
): void {
  if (rank === 'root') throw refused('/parent_id', 'root_parent');
  if (parentId === null) return;
  if (!tree.nodes.has(parentId)) throw notFound('/parent_id');
  if (isSelfOrBelow(tree, parentId, id)) throw refused('/parent_id', 'own_descendant');
}

/**
 * Returns the species to merge into: the given one or its own merge target.
 * @throws HubError species_not_found, invalid_request, conflict for a generic species, which labels always need
 */
function checkMerge(tree: SpeciesTree, speciesId: number, given: number): number {
  const species = tree.nodes.get(speciesId);
  if (!species) throw new HubError('species_not_found');
  const into = tree.current(given);
  if (into === undefined) throw notFound('/into_species_id');
  if (species.generic || isRoot(species)) throw cannotMerge('generic_species');
  if (tree.nodes.get(into)?.group === 'noise' && species.group !== 'noise')
    throw cannotMerge('noise_species');
  if (isSelfOrBelow(tree, into, speciesId)) throw refused('/into_species_id', 'own_descendant');
  return into;
}
