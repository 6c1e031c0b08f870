import type pg from 'pg';
import type { SpeciesTree } from '../species/index.js';
import { detachNear, reattachNear } from './attachments.js';
import { type Interval, mergeIntervals } from './interval.js';
import { type Neighbourhood, readNeighbourhood, type SpeciesSpan } from './neighbourhood.store.js';
import { planAdditions, planReplacement, type VisitPlan } from './plan-visits.js';
import { RollupDeltas } from './visit-rollups.js';
import type { AddedDetection, StoredDetection } from './visit-state.js';
import { writePlans, writeRollups } from './visits.store.js';
import { LocksNeeded, type WriterLocks } from './writer-locks.js';

/** A change of detections, of whatever recordings and species. */
export interface DetectionChange {
  /** Those that were; already deleted, or among `added` with what they become. */
  readonly removed: readonly StoredDetection[];
  /** Those that shall be. */
  readonly added: readonly AddedDetection[];
}

/** A visit that is in store after a change. */
export interface WrittenVisit {
  readonly id: number;
  readonly speciesId: number;
  readonly start: number;
  readonly end: number;
  readonly isNew: boolean;
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

function countPlans(plans: readonly VisitPlan[], deltas: RollupDeltas): void {
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
  const needed = spans.flatMap(({ speciesId }) => [speciesId, ...tree.ancestorsOf(speciesId)]);
  if (!needed.every((id) => locks.species.has(id))) throw new LocksNeeded(needed);
}

/**
 * Keeps the visits and their rollups equal to the visit rule when detections change: reads only what stands
 * beside the change. The caller holds the locks, has deleted what is to go, and inserts the added detections
 * afterwards with the visits that this answers.
 * @throws LocksNeeded, StaleTree: roll back and begin again.
 */
export async function maintainVisits(
  client: pg.ClientBase,
  tree: SpeciesTree,
  locks: WriterLocks,
  change: DetectionChange,
): Promise<MaintainedVisits> {
  if (change.removed.length + change.added.length === 0)
    return { visitOf: new Map(), visits: [], touched: [] };
  const spans = spansOf(change, tree);
  const changedSpecies = [...new Set(spans.map((span) => span.speciesId))];
  if (!changedSpecies.every((id) => locks.species.has(id))) throw new LocksNeeded(changedSpecies);
  const which = change.removed.length ? 'all' : 'overlapping';
  let beside = await readNeighbourhood(client, spans, which);
  if (beside.rule.treeRevision !== tree.revision) throw new StaleTree();
  const deltas = new RollupDeltas(beside.rule.timezone);
  if (beside.meetsAttachments) {
    requireAncestors(spans, tree, locks);
    await detachNear(client, tree, spans, beside, deltas);
    beside = await readNeighbourhood(client, spans, which);
  }
  const plans = changedSpecies.map((speciesId) => planSpecies(speciesId, change, beside));
  countPlans(plans, deltas);
  const attaches = beside.meetsAttachments || mayAttach(plans, tree);
  if (attaches) requireAncestors(spans, tree, locks);
  const ids = await writePlans(client, plans, attaches ? [] : deltas.list());
  const visitOf = new Map(
    [...ids].flatMap(([visit, id]) => visit.added.map((detection) => [detection.id, id])),
  );
  let visits = [...ids].map(
    ([{ speciesId, before, state }, id]): WrittenVisit => ({
      id,
      speciesId,
      start: state.start,
      end: state.end,
      isNew: before === undefined,
    }),
  );
  if (attaches) {
    const hosts = await reattachNear(client, tree, spans, visits, beside.rule, deltas);
    await writeRollups(client, deltas.list());
    for (const [id, visitId] of visitOf) visitOf.set(id, hosts.get(visitId) ?? visitId);
    visits = visits.filter((visit) => !hosts.has(visit.id));
  }
  return { visitOf, visits, touched: [...spans, ...beside.visits, ...visits] };
}
