import { HubError } from '@birdhub/shared/errors';
import type { WriteTransaction } from '@birdhub/shared/outbox';
import type { SpeciesTree } from '../species/directory.js';
import { type AttachedRow, detachNear, reattachNear } from './attachments.js';
import { requireLocks, type WriterLocks } from './locks.js';
import {
  type AddedDetection,
  countPlans,
  type PlannedVisit,
  planAdditions,
  planReplacement,
  RollupDeltas,
  type StoredDetection,
  type VisitPlan,
} from './plan.js';
import { type Interval, mergeIntervals } from './rule.js';
import {
  type ChangedSpan,
  type MembersToRead,
  type Neighbourhood,
  readNeighbourhood,
  type VisitTransaction,
  writePlans,
  writeRollups,
} from './visits.store.js';

/** The transaction of a writer and its locks. */
export interface WriterScope extends VisitTransaction, WriteTransaction {
  readonly tree: SpeciesTree;
  readonly locks: WriterLocks;
}

/** A change of detections of any recordings and species. */
export interface DetectionChange {
  /** Stored detections to be removed; changed ones are also in `added`, with the same id. */
  readonly removed: readonly StoredDetection[];
  /** Detections to be stored. */
  readonly added: readonly AddedDetection[];
  /** Awaited before anything is written; if it rejects, the change fails. */
  readonly guard?: Promise<unknown>;
}

/** A stored visit after a change. */
export interface WrittenVisit {
  readonly id: number;
  readonly speciesId: number;
  readonly start: number;
  readonly end: number;
  readonly isNew: boolean;
  /** Whether it existed before and now starts earlier or ends later. */
  readonly isExtended: boolean;
}

/** The effect of a change of detections on visits. */
export interface MaintainedVisits {
  /** The visit of each added detection, by the detection's id. */
  readonly visitOf: ReadonlyMap<number, number>;
  readonly visits: readonly WrittenVisit[];
  /** All spans whose content may have changed: the change, and the visits near it before and after. */
  readonly touched: readonly Interval[];
}

/** Thrown when the revision of the cached species tree differs from that of the stored visits. */
export class StaleTreeError extends Error {
  override readonly name = 'StaleTreeError';
}

/** Thrown when a species of a change was merged into another one. */
export class SpeciesMergedError extends HubError {
  constructor() {
    super('conflict');
  }
}

/**
 * Updates visits and rollups according to the visit rule when detections change; reads only the neighbourhood of the
 * change. The caller must hold the locks, and must then delete the removed detections and write the added ones with the
 * returned visits.
 * @throws LocksNeededError, StaleTreeError, SpeciesMergedError: roll back and retry.
 */
export async function maintainVisits(scope: WriterScope, change: DetectionChange): Promise<MaintainedVisits> {
  const { client, tree, locks } = scope;
  const spans = spansOf(change, tree);
  if (!spans.length) return { visitOf: new Map(), visits: [], touched: [] };
  const prepared = await prepare(scope, spans, change.removed.length ? 'all' : 'overlapping');
  await change.guard;
  const { neighbourhood, deltas, detached } = prepared;
  const changedSpecies = [...new Set(spans.map((span) => span.speciesId))];
  const plans = changedSpecies.map((speciesId) => planSpecies(speciesId, change, neighbourhood));
  countPlans(plans, deltas);
  const attaches = prepared.meetsAttachments || mayAttach(plans, tree);
  if (attaches) requireAncestors(spans, tree, locks);
  const ids = await writePlans(scope, plans, attaches ? [] : deltas.list());
  const visits = [...ids].map(toWritten);
  const touched = [...spans, ...neighbourhood.visits, ...visits];
  const visitOf = new Map([...ids].flatMap(([visit, id]) => visit.added.map((added) => [added.id, id])));
  if (!attaches) return { visitOf, visits, touched };
  const hosts = await reattachNear(
    client,
    tree,
    [...spans, ...visits, ...detached],
    neighbourhood.rule,
    deltas,
  );
  writeRollups(scope, deltas.list());
  for (const [id, visitId] of visitOf) visitOf.set(id, hosts.get(visitId) ?? visitId);
  return { visitOf, visits: visits.filter((visit) => !hosts.has(visit.id)), touched };
}

function spansOf({ removed, added }: DetectionChange, tree: SpeciesTree): ChangedSpan[] {
  const detections = [...removed, ...added];
  const species = [...new Set(detections.map((detection) => detection.speciesId))];
  return species.flatMap((speciesId) =>
    mergeIntervals(
      detections.filter((detection) => detection.speciesId === speciesId),
      0,
    ).map((span) => ({ ...span, speciesId, parentId: tree.nodes.get(speciesId)?.parentId ?? null })),
  );
}

function planSpecies(speciesId: number, change: DetectionChange, neighbourhood: Neighbourhood): VisitPlan {
  const own = <T extends { speciesId: number }>(list: readonly T[]) =>
    list.filter((row) => row.speciesId === speciesId);
  const added = own(change.added);
  const visits = own(neighbourhood.visits);
  const { gapMs } = neighbourhood.rule;
  if (change.removed.length === 0)
    return planAdditions(speciesId, visits, added, own(neighbourhood.detections), gapMs);
  const leaving = new Set([...change.removed, ...change.added].map((detection) => detection.id));
  const remaining = own(neighbourhood.detections).filter((detection) => !leaving.has(detection.id));
  return planReplacement(speciesId, visits, added, remaining, gapMs);
}

/** Returns whether an audio-only visit may belong to the visit of a child species. */
function mayAttach(plans: readonly VisitPlan[], tree: SpeciesTree): boolean {
  return plans.some(({ visits }) =>
    visits.some(({ speciesId, state }) => state.videoCount === 0 && tree.childrenOf(speciesId).length > 0),
  );
}

function requireAncestors(spans: readonly ChangedSpan[], tree: SpeciesTree, locks: WriterLocks): void {
  requireLocks(locks, {
    species: spans.flatMap(({ speciesId }) => [speciesId, ...tree.ancestorsOf(speciesId)]),
  });
}

/** The visits near a change, without attached runs. */
interface Prepared {
  readonly neighbourhood: Neighbourhood;
  readonly deltas: RollupDeltas;
  readonly detached: readonly AttachedRow[];
  readonly meetsAttachments: boolean;
}

async function prepare(
  { client, tree, locks }: WriterScope,
  spans: readonly ChangedSpan[],
  which: MembersToRead,
): Promise<Prepared> {
  const species = spans.map((span) => span.speciesId);
  requireLocks(locks, { species });
  const neighbourhood = await readNeighbourhood(client, spans, which);
  if (neighbourhood.rule.treeRevision !== tree.revision) throw new StaleTreeError();
  if (species.some((id) => (tree.current(id) ?? id) !== id)) throw new SpeciesMergedError();
  const deltas = new RollupDeltas(neighbourhood.rule.timezone);
  if (!neighbourhood.meetsAttachments)
    return { neighbourhood, deltas, detached: [], meetsAttachments: false };
  requireAncestors(spans, tree, locks);
  const detached = await detachNear(client, tree, spans, neighbourhood, deltas);
  return {
    neighbourhood: await readNeighbourhood(client, spans, which),
    deltas,
    detached,
    meetsAttachments: true,
  };
}

function toWritten([{ speciesId, before, state }, id]: [PlannedVisit, number]): WrittenVisit {
  const { start, end } = state;
  const isExtended = before !== undefined && (start < before.start || end > before.end);
  return { id, speciesId, start, end, isNew: before === undefined, isExtended };
}
