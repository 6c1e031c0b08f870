import { createIdBlock, inTransaction } from '@birdhub/shared/db';
import type pg from 'pg';
import type { SpeciesDirectory } from '../species/directory.js';
import type { SpeciesTree } from '../species/species-tree.js';
import { type BatchVisit, visitsOf } from './batch-visits.js';
import type { PlannedVisit, VisitPlan } from './plan-visits.js';
import {
  areVisitsMadeBy,
  beginRebuild,
  listVisits,
  readAllDetections,
  readVisitRule,
  writeAttachedRuns,
} from './rebuild.store.js';
import { assignIdentities } from './visit-identity.js';
import { RollupDeltas } from './visit-rollups.js';
import type { StoredDetection, StoredVisit } from './visit-state.js';
import { type VisitTransaction, writePlans, writeRollups } from './visits.store.js';
import { beginAlone } from './writer-locks.js';

/** The rule to make visits by. */
export interface WantedRule {
  readonly gapMs: number;
  /** IANA zone of the days. */
  readonly timezone: string;
}

/** How far a rebuild is. */
export interface RebuildProgress {
  /** Detections that are done with. */
  readonly detections: number;
  /** Visits that they make. */
  readonly visits: number;
}

/** What a rebuild does otherwise than by itself. */
export interface RebuildOptions {
  /** The rule to make visits by; the one they were made by before when it is not given. */
  readonly wanted?: WantedRule;
  /** Told after every piece; what it throws leaves everything as it was. */
  readonly report?: (progress: RebuildProgress) => Promise<void>;
}

function groupBySpecies<T extends { speciesId: number }>(rows: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const row of rows) {
    const group = groups.get(row.speciesId);
    if (group) group.push(row);
    else groups.set(row.speciesId, [row]);
  }
  return groups;
}

/** Cuts the stream of detections where all species are silent: no visit, old or new, reaches over such a cut. */
async function* cutAtSilence(
  pages: AsyncIterable<StoredDetection[]>,
  silenceMs: number,
): AsyncGenerator<StoredDetection[]> {
  let piece: StoredDetection[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for await (const page of pages) {
    for (const detection of page) {
      if (detection.start > end + silenceMs && piece.length) {
        yield piece;
        piece = [];
      }
      piece.push(detection);
      end = Math.max(end, detection.end);
    }
  }
  if (piece.length) yield piece;
}

function planVisit(
  visit: BatchVisit,
  before: StoredVisit | undefined,
  visitOf: ReadonlyMap<number, number>,
): PlannedVisit {
  const members = [...visit.detectionIds, ...visit.attachedDetectionIds];
  return {
    speciesId: visit.speciesId,
    state: {
      start: visit.start,
      end: visit.end,
      maxSimultaneous: visit.maxSimultaneous,
      detectionCount: members.length,
      videoCount: visit.videoDetections,
    },
    before,
    absorbed: [],
    joining: members.filter((id) => before === undefined || visitOf.get(id) !== before.id),
    added: [],
  };
}

function planSpecies(
  old: StoredVisit[],
  next: BatchVisit[],
  visitOf: ReadonlyMap<number, number>,
): VisitPlan {
  const ids = assignIdentities(old, next);
  const visits = next.map((visit, index) =>
    planVisit(
      visit,
      old.find((row) => row.id === ids[index]),
      visitOf,
    ),
  );
  const kept = new Set(ids);
  return { visits, gone: old.filter((visit) => !kept.has(visit.id)) };
}

async function rebuildPiece(
  transaction: VisitTransaction,
  piece: StoredDetection[],
  parents: ReadonlyMap<number, number | null>,
  gapMs: number,
  deltas: RollupDeltas,
): Promise<number> {
  const { client } = transaction;
  const { visits, attached } = visitsOf(groupBySpecies(piece), parents, gapMs);
  const visitOf = new Map(piece.map((detection) => [detection.id, detection.visitId]));
  const old = groupBySpecies(await listVisits(client, [...new Set(visitOf.values())]));
  const next = groupBySpecies(visits);
  const species = [...new Set([...old.keys(), ...next.keys()])];
  const plans = species.map((id) => planSpecies(old.get(id) ?? [], next.get(id) ?? [], visitOf));
  const ids = await writePlans(transaction, plans, []);
  const idAt = new Map([...ids].map(([visit, id]) => [`${visit.speciesId} ${visit.state.start}`, id]));
  await writeAttachedRuns(
    client,
    attached.map((run) => ({
      species_id: run.speciesId,
      start_time: new Date(run.start).toISOString(),
      end_time: new Date(run.end).toISOString(),
      visit_id: idAt.get(`${run.visit.speciesId} ${run.visit.start}`) ?? 0,
    })),
  );
  for (const visit of ids.keys()) deltas.count(visit.speciesId, visit.state, 1);
  return visits.length;
}

const parentsOf = (tree: SpeciesTree) =>
  new Map([...tree.nodes.values()].map((node) => [node.id, node.parentId]));

/**
 * Makes every visit and rollup anew in one transaction: readers see the old numbers until it ends, writers wait.
 * Visits that remain keep their ids. Memory is bounded by the longest time without silence. Answers how many visits
 * there are.
 */
export async function rebuildVisits(
  pool: pg.Pool,
  directory: SpeciesDirectory,
  { wanted, report }: RebuildOptions = {},
): Promise<number> {
  return inTransaction(
    pool,
    async (client, send) => {
      const transaction = { client, send, visitIds: createIdBlock('species_visit_id_seq') };
      const tree = await directory.readTree(client);
      const before = await readVisitRule(client);
      const { gapMs, timezone } = wanted ?? before;
      await beginRebuild(client, gapMs, timezone);
      const deltas = new RollupDeltas(timezone);
      const pieces = cutAtSilence(readAllDetections(client), Math.max(before.gapMs, gapMs));
      let [detections, visits] = [0, 0];
      for await (const piece of pieces) {
        visits += await rebuildPiece(transaction, piece, parentsOf(tree), gapMs, deltas);
        detections += piece.length;
        await report?.({ detections, visits });
      }
      writeRollups(transaction, deltas.list());
      return visits;
    },
    beginAlone,
  );
}

/** Whether the visits in store were made by a rule, and no migration has made them untrue since. */
export async function isVisitRule(pool: pg.Pool, { gapMs, timezone }: WantedRule): Promise<boolean> {
  return areVisitsMadeBy(pool, gapMs, timezone);
}
