import type { Send } from '@birdhub/shared/db';
import { msSql } from '@birdhub/shared/time';
import type pg from 'pg';
import type { SpeciesTree } from '../species/directory.js';
import { detachAll, listAudioOnlyBeside, reattachNear } from './attachments.js';
import {
  countPlans,
  planReplacement,
  RollupDeltas,
  type StoredDetection,
  type StoredVisit,
  type VisitPlan,
  type VisitRule,
} from './plan.js';
import {
  createVisitIds,
  readVisitRule,
  type VisitTransaction,
  visitJson,
  writePlans,
  writeRollups,
} from './visits.store.js';

/** A change of all visits of some species, in a transaction that excludes other writers of visits. */
export interface Regrouping extends VisitTransaction {
  readonly rule: VisitRule;
  readonly deltas: RollupDeltas;
}

/** Starts a change of visits, which {@link settleRegrouping} ends. */
export async function beginRegrouping(client: pg.ClientBase, send: Send): Promise<Regrouping> {
  const rule = await readVisitRule(client);
  return {
    client,
    send,
    visitIds: createVisitIds(),
    rule,
    deltas: new RollupDeltas(rule.timezone),
  };
}

/** Writes the changes of the rollups. */
export function settleRegrouping(regrouping: Regrouping): void {
  writeRollups(regrouping, regrouping.deltas.list());
}

/**
 * Returns species with all their ancestors, whose audio-only runs may have to be attached differently when visits of the
 * species change.
 */
export function withAncestors(tree: SpeciesTree, speciesIds: readonly number[]): number[] {
  return [...new Set(speciesIds.flatMap((id) => [id, ...tree.ancestorsOf(id)]))];
}

/** Converts all attached runs of these species to visits. */
export async function detachSpecies(
  { client, deltas }: Regrouping,
  speciesIds: readonly number[],
): Promise<void> {
  await detachAll(client, speciesIds, deltas);
}

/** Attaches the audio-only runs of these species according to a tree, which may differ from the previous one. */
export async function attachSpecies(
  { client, rule, deltas }: Regrouping,
  tree: SpeciesTree,
  speciesIds: readonly number[],
): Promise<void> {
  const audioOnly: StoredVisit[] = [];
  for (const id of speciesIds)
    audioOnly.push(...(await listAudioOnlyBeside(client, id, tree.childrenOf(id))));
  await reattachNear(client, tree, audioOnly, rule, deltas);
}

/**
 * Moves all visits of a species, with their ids, to another one; {@link joinVisits} then joins those that are too
 * close.
 */
export async function moveAllVisits({ client, deltas }: Regrouping, from: number, to: number): Promise<void> {
  for await (const visits of readVisits(client, from)) await reassign({ client, deltas }, visits, to);
}

/** Joins the visits of a species that are within the gap of each other. */
export async function joinVisits(regrouping: Regrouping, speciesId: number): Promise<void> {
  const { client, rule } = regrouping;
  for (const batch of inBatches(await listCloseVisits(client, speciesId))) {
    const members = groupByVisit(await listMembers(client, idsOf(batch.flat())));
    const plans = batch.map((visits) => {
      const detections = visits.flatMap((visit) => members.get(visit.id) ?? []);
      return planReplacement(speciesId, [...visits], [], detections, rule.gapMs);
    });
    await write(regrouping, plans);
  }
}

/** Detections that move from their visits to another species. */
export interface DetectionMove {
  /** Visits of one species, with nothing attached to them. */
  readonly visits: readonly StoredVisit[];
  readonly leaving: ReadonlySet<number>;
  readonly to: number;
}

/** Forms visits of another species from moving detections; a visit that moves completely keeps its id. */
export async function splitVisits(regrouping: Regrouping, move: DetectionMove): Promise<void> {
  const { client, rule } = regrouping;
  const { visits, leaving, to } = move;
  for (const batch of inBatches(visits.map((visit) => [visit]))) {
    const all = batch.flat();
    const detections = await listMembers(client, idsOf(all));
    const members = groupByVisit(detections);
    const movesCompletely = ({ id }: StoredVisit) =>
      members.get(id)?.every((detection) => leaving.has(detection.id)) ?? false;
    await reassign(regrouping, all.filter(movesCompletely), to);
    const mixed = all.filter((visit) => !movesCompletely(visit));
    await write(
      regrouping,
      mixed.flatMap((visit) => splitVisit(visit, members.get(visit.id) ?? [], move, rule.gapMs)),
    );
    await moveDetections(client, idsOf(detections.filter((one) => leaving.has(one.id))), to);
  }
}

const idsOf = (rows: readonly { readonly id: number }[]) => rows.map((row) => row.id);

async function reassign(
  { client, deltas }: Pick<Regrouping, 'client' | 'deltas'>,
  visits: readonly StoredVisit[],
  to: number,
): Promise<void> {
  for (const visit of visits) {
    deltas.count(visit.speciesId, visit, -1);
    deltas.count(to, visit, 1);
  }
  await moveVisits(client, idsOf(visits), to);
}

const visitsPerBatch = 500;

function* inBatches<T>(groups: Iterable<readonly T[]>): Generator<(readonly T[])[]> {
  let batch: (readonly T[])[] = [];
  let size = 0;
  for (const group of groups) {
    batch.push(group);
    size += group.length;
    if (size < visitsPerBatch) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length) yield batch;
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

function splitVisit(
  visit: StoredVisit,
  members: readonly StoredDetection[],
  { leaving, to }: DetectionMove,
  gapMs: number,
): VisitPlan[] {
  const moving = members.filter((detection) => leaving.has(detection.id));
  const staying = members.filter((detection) => !leaving.has(detection.id));
  return [
    planReplacement(visit.speciesId, [visit], [], staying, gapMs),
    planReplacement(to, [], [], moving, gapMs),
  ];
}

const pageSize = 5_000;

/** Reads the visits of a species in order, page by page; the caller may change visits of pages that it has received. */
async function* readVisits(client: pg.ClientBase, speciesId: number): AsyncGenerator<StoredVisit[]> {
  let after = '-infinity';
  for (;;) {
    const { rows } = await client.query<{ visit: StoredVisit; start: string }>(
      `SELECT ${visitJson('visit')} AS visit, to_json(start_time) #>> '{}' AS start FROM species_visit visit
       WHERE species_id = $1 AND start_time > $2 ORDER BY start_time LIMIT ${pageSize}`,
      [speciesId, after],
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => row.visit);
    after = last.start;
  }
}

/** Lists groups of visits of a species that are within the gap of each other, which a merge of species may leave. */
async function listCloseVisits(client: pg.ClientBase, speciesId: number): Promise<StoredVisit[][]> {
  const { rows } = await client.query<{ visits: StoredVisit[] }>(
    `WITH ordered AS (
       SELECT *, start_time > gap_ms * interval '1 ms' + max(end_time) OVER (
         ORDER BY start_time, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS is_apart
       FROM species_visit, (SELECT gap_ms FROM visit_rule) rule WHERE species_id = $1),
     grouped AS (SELECT *, count(*) FILTER (WHERE is_apart) OVER (ORDER BY start_time, id) AS number FROM ordered)
     SELECT json_agg(${visitJson('visit')} ORDER BY start_time, id) AS visits
     FROM grouped visit GROUP BY number HAVING count(*) > 1 ORDER BY number`,
    [speciesId],
  );
  return rows.map((row) => row.visits);
}

/** Lists all detections of some visits. */
async function listMembers(client: pg.ClientBase, visitIds: readonly number[]): Promise<StoredDetection[]> {
  const { rows } = await client.query<StoredDetection>(
    `SELECT detection.id, species_id AS "speciesId", visit_id AS "visitId", source, camera_id AS "cameraId",
       ${msSql('detection.start_time')} AS start,
       ${msSql('detection.end_time')} AS "end"
     FROM detection JOIN video ON video.id = video_id WHERE visit_id = ANY ($1)`,
    [visitIds],
  );
  return rows;
}

/** Moves detections to another species. */
async function moveDetections(
  client: pg.ClientBase,
  detectionIds: readonly number[],
  speciesId: number,
): Promise<void> {
  await client.query('UPDATE detection SET species_id = $2 WHERE id = ANY ($1)', [detectionIds, speciesId]);
}

/** Moves visits with all their detections to another species. */
async function moveVisits(
  client: pg.ClientBase,
  visitIds: readonly number[],
  speciesId: number,
): Promise<void> {
  await client.query(
    `WITH given AS (UPDATE species_visit SET species_id = $2 WHERE id = ANY ($1))
     UPDATE detection SET species_id = $2 WHERE visit_id = ANY ($1)`,
    [visitIds, speciesId],
  );
}
