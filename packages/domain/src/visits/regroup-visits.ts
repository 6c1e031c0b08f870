import { createIdBlock, type Send } from '@birdhub/shared/db';
import type pg from 'pg';
import type { SpeciesTree } from '../species/species-tree.js';
import { detachAll, reattachNear } from './attachments.js';
import { listHeardBeside } from './attachments.store.js';
import { countPlans } from './maintain-visits.js';
import { planReplacement, type VisitPlan } from './plan-visits.js';
import { readVisitRule } from './rebuild.store.js';
import { giveDetections, giveVisits, listCloseVisits, listMembers, readVisits } from './regroup.store.js';
import { RollupDeltas } from './visit-rollups.js';
import type { StoredDetection, StoredVisit, VisitRule } from './visit-state.js';
import { type VisitTransaction, writePlans, writeRollups } from './visits.store.js';

/** Visits of whole species being changed, in a transaction in which nobody else writes visits. */
export interface Regrouping extends VisitTransaction {
  readonly rule: VisitRule;
  readonly deltas: RollupDeltas;
}

/** Begins to change visits; {@link settleRegrouping} ends it. */
export async function beginRegrouping(client: pg.ClientBase, send: Send): Promise<Regrouping> {
  const rule = await readVisitRule(client);
  return {
    client,
    send,
    visitIds: createIdBlock('species_visit_id_seq'),
    rule,
    deltas: new RollupDeltas(rule.timezone),
  };
}

/** Writes what has changed to the rollups. */
export function settleRegrouping(regrouping: Regrouping): void {
  writeRollups(regrouping, regrouping.deltas.list());
}

/** Species and all above them: those whose heard runs may be attached otherwise when visits of the species change. */
export function withAncestors(tree: SpeciesTree, speciesIds: readonly number[]): number[] {
  return [...new Set(speciesIds.flatMap((id) => [id, ...tree.ancestorsOf(id)]))];
}

/** Makes every attached run of these species a visit, so that what follows sees no attachments of theirs. */
export async function detachSpecies(
  { client, deltas }: Regrouping,
  speciesIds: readonly number[],
): Promise<void> {
  await detachAll(client, speciesIds, deltas);
}

/** Attaches the heard runs of these species by the tree, which may be another one than they were detached by. */
export async function attachSpecies(
  { client, rule, deltas }: Regrouping,
  tree: SpeciesTree,
  speciesIds: readonly number[],
): Promise<void> {
  const heard: StoredVisit[] = [];
  for (const id of speciesIds) heard.push(...(await listHeardBeside(client, id, tree.childrenOf(id))));
  await reattachNear(client, tree, heard, rule, deltas);
}

const idsOf = (rows: readonly { readonly id: number }[]) => rows.map((row) => row.id);

async function give(
  { client, deltas }: Pick<Regrouping, 'client' | 'deltas'>,
  visits: readonly StoredVisit[],
  to: number,
): Promise<void> {
  for (const visit of visits) {
    deltas.count(visit.speciesId, visit, -1);
    deltas.count(to, visit, 1);
  }
  await giveVisits(client, idsOf(visits), to);
}

/** Gives all visits of a species, with their ids, to another; those that are too close then are left to {@link joinVisits}. */
export async function giveAllVisits({ client, deltas }: Regrouping, from: number, to: number): Promise<void> {
  for await (const visits of readVisits(client, from)) await give({ client, deltas }, visits, to);
}

const visitsAtOnce = 500;

function* inPieces<T>(groups: Iterable<readonly T[]>): Generator<(readonly T[])[]> {
  let piece: (readonly T[])[] = [];
  let size = 0;
  for (const group of groups) {
    piece.push(group);
    size += group.length;
    if (size < visitsAtOnce) continue;
    yield piece;
    piece = [];
    size = 0;
  }
  if (piece.length) yield piece;
}

function groupByVisit(detections: readonly StoredDetection[]): Map<number, StoredDetection[]> {
  const groups = new Map<number, StoredDetection[]>();
  for (const detection of detections) {
    const group = groups.get(detection.visitId);
    if (group) group.push(detection);
    else groups.set(detection.visitId, [detection]);
  }
  return groups;
}

async function write(regrouping: Regrouping, plans: readonly VisitPlan[]): Promise<void> {
  await writePlans(regrouping, plans, []);
  countPlans(plans, regrouping.deltas);
}

/** Makes one visit of those of a species that are no farther apart than the gap. */
export async function joinVisits(regrouping: Regrouping, speciesId: number): Promise<void> {
  const { client, rule } = regrouping;
  for (const piece of inPieces(await listCloseVisits(client, speciesId))) {
    const members = groupByVisit(await listMembers(client, idsOf(piece.flat())));
    const plans = piece.map((visits) => {
      const detections = visits.flatMap((visit) => members.get(visit.id) ?? []);
      return planReplacement(speciesId, [...visits], [], detections, rule.gapMs);
    });
    await write(regrouping, plans);
  }
}

/** Detections that leave the visits that they are in, for another species. */
export interface Departure {
  /** Visits of one species, with nothing attached to them. */
  readonly visits: readonly StoredVisit[];
  readonly leaving: ReadonlySet<number>;
  readonly to: number;
}

function splitVisit(
  visit: StoredVisit,
  members: readonly StoredDetection[],
  { leaving, to }: Departure,
  gapMs: number,
): VisitPlan[] {
  const going = members.filter((detection) => leaving.has(detection.id));
  const staying = members.filter((detection) => !leaving.has(detection.id));
  return [
    planReplacement(visit.speciesId, [visit], [], staying, gapMs),
    planReplacement(to, [], [], going, gapMs),
  ];
}

/** Makes visits of another species of detections that leave; a visit that all of them leave goes over with its id. */
export async function splitVisits(regrouping: Regrouping, departure: Departure): Promise<void> {
  const { client, rule } = regrouping;
  const { visits, leaving, to } = departure;
  for (const piece of inPieces(visits.map((visit) => [visit]))) {
    const all = piece.flat();
    const detections = await listMembers(client, idsOf(all));
    const members = groupByVisit(detections);
    const isWhole = ({ id }: StoredVisit) => members.get(id)?.every((one) => leaving.has(one.id)) ?? false;
    await give(regrouping, all.filter(isWhole), to);
    const mixed = all.filter((visit) => !isWhole(visit));
    await write(
      regrouping,
      mixed.flatMap((visit) => splitVisit(visit, members.get(visit.id) ?? [], departure, rule.gapMs)),
    );
    await giveDetections(client, idsOf(detections.filter((one) => leaving.has(one.id))), to);
  }
}
