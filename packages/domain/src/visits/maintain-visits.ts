import { HubError } from '@birdhub/shared/errors';
import type { WriteTransaction } from '@birdhub/shared/outbox';
import type { SpeciesTree } from '../species/species-tree.js';
import { detachNear, reattachNear } from './attachments.js';
import type { AttachedRow } from './attachments.store.js';
import { type Interval, mergeIntervals } from './interval.js';
import {
  type MembersToRead,
  type Neighbourhood,
  readNeighbourhood,
  type SpeciesSpan,
} from './neighbourhood.store.js';
import { type PlannedVisit, planAdditions, planReplacement, type VisitPlan } from './plan-visits.js';
import { RollupDeltas } from './visit-rollups.js';
import type { AddedDetection, StoredDetection } from './visit-state.js';
import { type VisitTransaction, writePlans, writeRollups } from './visits.store.js';
import { requireLocks, type WriterLocks } from './writer-locks.js';

/** The transaction of a writer, and what it holds. */
export interface WriterScope extends VisitTransaction, WriteTransaction {
  readonly tree: SpeciesTree;
  readonly locks: WriterLocks;
}

/** A change of detections, of whatever recordings and species. */
export interface DetectionChange {
  /** Those that were, still in the table; what they become is among `added` under the same id. */
  readonly removed: readonly StoredDetection[];
  /** Those that shall be. */
  readonly added: readonly AddedDetection[];
  /** What is waited for before anything is written; its failure is the failure of the change. */
  readonly guard?: Promise<unknown>;
}

/** A visit that is in store after a change. */
export interface WrittenVisit {
  readonly id: number;
  readonly speciesId: number;
  readonly start: number;
  readonly end: number;
  readonly isNew: boolean;
  /** Whether it was there before and begins earlier or ends later now. */
  readonly isExtended: boolean;
}

/** What a change of detections did to visits. */
export interface MaintainedVisits {
  /** The visit of each added detection, by the detection's id. */
  readonly visitOf: ReadonlyMap<number, number>;
  readonly visits: readonly WrittenVisit[];
  /** Everything that may read otherwise now: the change, the visits that were beside it and those that are. */
  readonly touched: readonly Interval[];
}

/** The tree in memory is not the one that the visits in store were made with. */
export class StaleTree extends Error {
  override readonly name = 'StaleTree';
}

/** A species was merged into another while this was under way; who has its name knows the other by now. */
export class SpeciesMerged extends HubError {
  constructor() {
    super('conflict');
  }
}

function spansOf({ removed, added }: DetectionChange, tree: SpeciesTree): SpeciesSpan[] {
  const detections = [...removed, ...added];
  const species = [...new Set(detections.map((detection) => detection.speciesId))];
  return species.flatMap((speciesId) =>
    mergeIntervals(
      detections.filter((detection) => detection.speciesId === speciesId),
      0,
    ).map((span) => ({ ...span, speciesId, parentId: tree.nodes.get(speciesId)?.parentId ?? null })),
  );
}

function planSpecies(speciesId: number, change: DetectionChange, beside: Neighbourhood): VisitPlan {
  const own = <T extends { speciesId: number }>(list: readonly T[]) =>
    list.filter((row) => row.speciesId === speciesId);
  const added = own(change.added);
  const visits = own(beside.visits);
  const { gapMs } = beside.rule;
  if (change.removed.length === 0)
    return planAdditions(speciesId, visits, added, own(beside.detections), gapMs);
  const leaving = new Set([...change.removed, ...change.added].map((detection) => detection.id));
  const remaining = own(beside.detections).filter((detection) => !leaving.has(detection.id));
  return planReplacement(speciesId, visits, added, remaining, gapMs);
}

/** Counts what plans change: the visits that were out, those that shall be in. */
export function countPlans(plans: readonly VisitPlan[], deltas: RollupDeltas): void {
  for (const { visits, gone } of plans) {
    for (const visit of gone) deltas.count(visit.speciesId, visit, -1);
    for (const { speciesId, before, state } of visits) {
      if (before) deltas.count(speciesId, before, -1);
      deltas.count(speciesId, state, 1);
    }
  }
}

/** Only the picture names the form: a run that was only heard may belong to a child's visit. */
function mayAttach(plans: readonly VisitPlan[], tree: SpeciesTree): boolean {
  return plans.some(({ visits }) =>
    visits.some(({ speciesId, state }) => state.videoCount === 0 && tree.childrenOf(speciesId).length > 0),
  );
}

function requireAncestors(spans: readonly SpeciesSpan[], tree: SpeciesTree, locks: WriterLocks): void {
  requireLocks(locks, {
    species: spans.flatMap(({ speciesId }) => [speciesId, ...tree.ancestorsOf(speciesId)]),
  });
}

/** The visits beside a change, with nothing attached near them. */
interface Prepared {
  readonly beside: Neighbourhood;
  readonly deltas: RollupDeltas;
  readonly detached: readonly AttachedRow[];
  readonly meetsAttachments: boolean;
}

async function prepare(
  { client, tree, locks }: WriterScope,
  spans: readonly SpeciesSpan[],
  which: MembersToRead,
): Promise<Prepared> {
  const species = spans.map((span) => span.speciesId);
  requireLocks(locks, { species });
  const beside = await readNeighbourhood(client, spans, which);
  if (beside.rule.treeRevision !== tree.revision) throw new StaleTree();
  if (species.some((id) => (tree.current(id) ?? id) !== id)) throw new SpeciesMerged();
  const deltas = new RollupDeltas(beside.rule.timezone);
  if (!beside.meetsAttachments) return { beside, deltas, detached: [], meetsAttachments: false };
  requireAncestors(spans, tree, locks);
  const detached = await detachNear(client, tree, spans, beside, deltas);
  return { beside: await readNeighbourhood(client, spans, which), deltas, detached, meetsAttachments: true };
}

function toWritten([{ speciesId, before, state }, id]: [PlannedVisit, number]): WrittenVisit {
  const { start, end } = state;
  const isExtended = before !== undefined && (start < before.start || end > before.end);
  return { id, speciesId, start, end, isNew: before === undefined, isExtended };
}

/**
 * Keeps the visits and their rollups equal to the visit rule when detections change: reads only what stands
 * beside the change. The caller holds the locks, and afterwards deletes what is to go and writes what is added
 * with the visits that this answers.
 * @throws LocksNeeded, StaleTree: roll back and begin again.
 */
export async function maintainVisits(scope: WriterScope, change: DetectionChange): Promise<MaintainedVisits> {
  const { client, tree, locks } = scope;
  const spans = spansOf(change, tree);
  if (!spans.length) return { visitOf: new Map(), visits: [], touched: [] };
  const prepared = await prepare(scope, spans, change.removed.length ? 'all' : 'overlapping');
  await change.guard;
  const { beside, deltas, detached } = prepared;
  const changedSpecies = [...new Set(spans.map((span) => span.speciesId))];
  const plans = changedSpecies.map((speciesId) => planSpecies(speciesId, change, beside));
  countPlans(plans, deltas);
  const attaches = prepared.meetsAttachments || mayAttach(plans, tree);
  if (attaches) requireAncestors(spans, tree, locks);
  const ids = await writePlans(scope, plans, attaches ? [] : deltas.list());
  const visits = [...ids].map(toWritten);
  const touched = [...spans, ...beside.visits, ...visits];
  const visitOf = new Map([...ids].flatMap(([visit, id]) => visit.added.map((added) => [added.id, id])));
  if (!attaches) return { visitOf, visits, touched };
  const hosts = await reattachNear(client, tree, [...spans, ...visits, ...detached], beside.rule, deltas);
  writeRollups(scope, deltas.list());
  for (const [id, visitId] of visitOf) visitOf.set(id, hosts.get(visitId) ?? visitId);
  return { visitOf, visits: visits.filter((visit) => !hosts.has(visit.id)), touched };
}
