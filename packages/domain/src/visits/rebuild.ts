import { type CommitDeps, commit } from '@birdhub/shared/outbox';
import { msSql } from '@birdhub/shared/time';
import type pg from 'pg';
import type { SpeciesDirectory, SpeciesTree } from '../species/directory.js';
import { beginExclusive } from './locks.js';
import { planRebuild, RollupDeltas, type StoredDetection, type StoredVisit } from './plan.js';
import { visitsOf } from './rule.js';
import {
  createVisitIds,
  readVisitRule,
  type VisitTransaction,
  visitJson,
  writePlans,
  writeRollups,
} from './visits.store.js';

const pageSize = 5_000;

/** The rule that visits have to follow. */
export interface RequestedRule {
  readonly gapMs: number;
  /** IANA zone of the days. */
  readonly timezone: string;
}

/** Progress of a rebuild. */
export interface RebuildProgress {
  /** Number of processed detections. */
  readonly detections: number;
  /** Number of resulting visits. */
  readonly visits: number;
}

/** Dependencies of a rebuild. */
export interface RebuildDeps extends CommitDeps {
  readonly directory: Pick<SpeciesDirectory, 'readTree'>;
}

/** Options of a rebuild. */
export interface RebuildOptions {
  /** The new rule; default: the current one. */
  readonly rule?: RequestedRule;
  /** Called after each chunk; an error rolls everything back. */
  readonly report?: (progress: RebuildProgress) => Promise<void>;
}

/**
 * Rebuilds all visits and rollups in one transaction: until it commits, readers see the old ones and writers wait. Visits
 * that continue keep their ids. Memory is limited by the longest time without a silence. Returns the number of visits.
 */
export async function rebuildVisits(
  deps: RebuildDeps,
  { rule, report }: RebuildOptions = {},
): Promise<number> {
  return commit(
    deps,
    async ({ client, send, changed }) => {
      const transaction = { client, send, visitIds: createVisitIds() };
      const tree = await deps.directory.readTree(client);
      const before = await readVisitRule(client);
      const { gapMs, timezone } = rule ?? before;
      await beginRebuild(client, gapMs, timezone);
      const deltas = new RollupDeltas(timezone);
      const chunks = splitAtSilences(readAllDetections(client), Math.max(before.gapMs, gapMs));
      let [detections, visits] = [0, 0];
      for await (const chunk of chunks) {
        visits += await rebuildChunk(transaction, chunk, parentsOf(tree), gapMs, deltas);
        detections += chunk.length;
        await report?.({ detections, visits });
      }
      writeRollups(transaction, deltas.list());
      changed({ kind: 'everything' });
      return visits;
    },
    beginExclusive,
  );
}

/** Returns whether the stored visits follow a rule and are not marked as outdated. */
export async function isVisitRule(pool: pg.Pool, { gapMs, timezone }: RequestedRule): Promise<boolean> {
  const { rows } = await pool.query<{ isRule: boolean }>(
    'SELECT gap_ms = $1 AND timezone = $2 AND NOT is_outdated AS "isRule" FROM visit_rule',
    [gapMs, timezone],
  );
  return rows[0]?.isRule ?? false;
}

async function rebuildChunk(
  transaction: VisitTransaction,
  chunk: StoredDetection[],
  parents: ReadonlyMap<number, number | null>,
  gapMs: number,
  deltas: RollupDeltas,
): Promise<number> {
  const { client } = transaction;
  const { visits, attached } = visitsOf(groupBySpecies(chunk), parents, gapMs);
  const visitOf = new Map(chunk.map((detection) => [detection.id, detection.visitId]));
  const old = groupBySpecies(await listVisits(client, [...new Set(visitOf.values())]));
  const next = groupBySpecies(visits);
  const species = [...new Set([...old.keys(), ...next.keys()])];
  const plans = species.map((id) => planRebuild(old.get(id) ?? [], next.get(id) ?? [], visitOf));
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

function groupBySpecies<T extends { speciesId: number }>(rows: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const row of rows) {
    const group = groups.get(row.speciesId);
    if (group) group.push(row);
    else groups.set(row.speciesId, [row]);
  }
  return groups;
}

/** Splits the stream of detections where all species are silent, so that no visit, old or new, crosses a split. */
async function* splitAtSilences(
  pages: AsyncIterable<StoredDetection[]>,
  silenceMs: number,
): AsyncGenerator<StoredDetection[]> {
  let chunk: StoredDetection[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for await (const page of pages) {
    for (const detection of page) {
      if (detection.start > end + silenceMs && chunk.length) {
        yield chunk;
        chunk = [];
      }
      chunk.push(detection);
      end = Math.max(end, detection.end);
    }
  }
  if (chunk.length) yield chunk;
}

/** Reads all detections in order of time, page by page, in the transaction of the client. */
async function* readAllDetections(client: pg.ClientBase): AsyncGenerator<StoredDetection[]> {
  await client.query(`
    DECLARE every_detection NO SCROLL CURSOR FOR
    SELECT detection.id, detection.species_id AS "speciesId", visit_id AS "visitId", source, camera_id AS "cameraId",
      ${msSql('detection.start_time')} AS start,
      ${msSql('detection.end_time')} AS "end"
    FROM detection JOIN video ON video.id = detection.video_id ORDER BY detection.start_time`);
  for (;;) {
    const { rows } = await client.query<StoredDetection>(`FETCH ${pageSize} FROM every_detection`);
    if (rows.length === 0) return;
    yield rows;
  }
}

/** Lists visits by id. */
async function listVisits(client: pg.ClientBase, ids: readonly number[]): Promise<StoredVisit[]> {
  const { rows } = await client.query<{ visit: StoredVisit }>(
    `SELECT ${visitJson('species_visit')} AS visit FROM species_visit WHERE id = ANY ($1)`,
    [ids],
  );
  return rows.map((row) => row.visit);
}

/** Sets the rule and deletes everything that is rebuilt: rollups, totals, the count of visits, attached runs. */
async function beginRebuild(client: pg.ClientBase, gapMs: number, timezone: string): Promise<void> {
  await client.query('UPDATE visit_rule SET gap_ms = $1, timezone = $2, is_outdated = false', [
    gapMs,
    timezone,
  ]);
  await client.query('DELETE FROM attached_run');
  await client.query('DELETE FROM visit_day');
  await client.query('DELETE FROM visit_month');
  await client.query('DELETE FROM species_total');
  await client.query(`DELETE FROM hub_counter WHERE name = 'visits'`);
}

/** An attached run and the visit that it belongs to. */
interface AttachedRunRow {
  readonly species_id: number;
  readonly start_time: string;
  readonly end_time: string;
  readonly visit_id: number;
}

async function writeAttachedRuns(client: pg.ClientBase, rows: readonly AttachedRunRow[]): Promise<void> {
  if (!rows.length) return;
  await client.query(
    `INSERT INTO attached_run (species_id, start_time, end_time, visit_id)
     SELECT * FROM json_to_recordset($1)
       AS run (species_id int, start_time timestamptz, end_time timestamptz, visit_id bigint)`,
    [JSON.stringify(rows)],
  );
}
