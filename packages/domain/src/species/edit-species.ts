import { inTransaction, lockKeys, type Send } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import { outboxRow } from '@birdhub/shared/outbox';
import type pg from 'pg';
import {
  attachSpecies,
  beginRegrouping,
  detachSpecies,
  settleRegrouping,
  withAncestors,
} from '../visits/regroup-visits.js';
import { beginAlone } from '../visits/writer-locks.js';
import { tellOfChange } from './changes.store.js';
import {
  claimSpelling,
  columnOf,
  type EditedSpecies,
  findByEbirdCode,
  lockSpecies,
  type SpeciesPatch,
  turnTree,
  updateSpecies,
} from './edits.store.js';
import type { SpeciesEditorDependencies } from './species-editor.js';
import { normaliseSpeciesName, speciesKey } from './species-names.js';
import type { SpeciesTree } from './species-tree.js';
import { checkParent } from './species-tree.js';

/** What became of an edit. */
export interface EditResult {
  /** The species, another one than was asked for when that was merged into it. */
  readonly speciesId: number;
}

const takeNames = `SELECT pg_advisory_xact_lock(${lockKeys.speciesNames})`;

const taken = (path: string, message: string) =>
  new HubError('conflict', { message: `${path.slice(1)}: ${message}`, details: [{ path, message }] });

async function claimNames(client: pg.ClientBase, id: number, patch: SpeciesPatch, tree: SpeciesTree) {
  const given = { '/name': patch.name, '/scientific_name': patch.scientificName };
  for (const [path, name] of Object.entries(given)) {
    if (name == null) continue;
    const owner = await claimSpelling(client, speciesKey(name), id);
    if (owner !== id) throw taken(path, `is a name of ${tree.nodes.get(owner)?.name}`);
  }
  if (patch.ebirdCode == null) return;
  const owner = await findByEbirdCode(client, patch.ebirdCode);
  if (owner !== undefined && owner !== id) throw taken('/ebird_code', 'belongs to another species');
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
interface Change {
  readonly client: pg.ClientBase;
  readonly send: Send;
  readonly tree: SpeciesTree;
}

/** Sets the parent; heard runs above the old and the new one are attached by the tree as it is then. */
async function moveInTree(
  { client, send, tree }: Change,
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
  await turnTree(client);
  await attachSpecies(regrouping, await readTree(), kin);
  settleRegrouping(regrouping);
}

/**
 * Changes what is known of a species. Its old names lead to it further on; with its parent, visits change.
 * @throws HubError species_not_found, invalid_request, conflict
 */
export async function editSpecies(
  { pool, directory, notifier }: SpeciesEditorDependencies,
  given: number,
  raw: SpeciesPatch,
  requestId: string,
): Promise<EditResult> {
  const patch = normalise(raw);
  const begin = `${patch.parentId === undefined ? 'BEGIN' : beginAlone}; ${takeNames}`;

  async function write(client: pg.ClientBase, send: Send) {
    const tree = await directory.readTree(client);
    const before = await lockSpecies(client, tree.current(given) ?? 0);
    if (!before) throw new HubError('species_not_found');
    const fields = changedFields(before, patch);
    if (!fields.length) return { speciesId: before.id, kind: undefined };
    const { parentId, ...rest } = patch;
    const isMoved = parentId !== undefined && fields.includes('parentId');
    if (isMoved) checkParent(tree, before, parentId);
    await claimNames(client, before.id, patch, tree);
    if (Object.keys(rest).length) await updateSpecies(client, before.id, rest);
    if (isMoved) await moveInTree({ client, send, tree }, before, parentId, () => directory.readTree(client));
    const data = { species_id: before.id, fields: fields.map(columnOf), visits_changed: isMoved };
    const event = outboxRow('hub.v1.species.edited', 'species', data, requestId);
    await tellOfChange(client, { type: 'species_edited', data }, event);
    return { speciesId: before.id, kind: isMoved ? ('everything' as const) : ('species' as const) };
  }

  const { speciesId, kind } = await inTransaction(pool, write, begin);
  if (kind) {
    directory.forget();
    notifier.notify({ kind });
  }
  return { speciesId };
}
