import { createSingleFlight } from '@birdhub/shared/async';
import { addToCounters, type Send } from '@birdhub/shared/db';
import { msSql } from '@birdhub/shared/time';
import type pg from 'pg';
import {
  type DayDelta,
  isChanged,
  type PlannedVisit,
  type StoredDetection,
  type StoredVisit,
  type VisitPlan,
  type VisitRule,
  type VisitState,
} from './plan.js';
import type { Interval } from './rule.js';

/** A transaction that writes visits. */
export interface VisitTransaction {
  readonly client: pg.ClientBase;
  readonly send: Send;
  readonly visitIds: VisitIds;
}

/** A span in which detections of a species change. */
export interface ChangedSpan extends Interval {
  readonly speciesId: number;
  readonly parentId: number | null;
}

/** The stored neighbourhood of a change. */
export interface Neighbourhood {
  readonly rule: VisitRule;
  /** The visits of the changed species within the gap of a change. */
  readonly visits: readonly StoredVisit[];
  readonly detections: readonly StoredDetection[];
  /** Whether a run is attached near the change, or may have to be attached there. */
  readonly meetsAttachments: boolean;
}

/** SQL: a visit as JSON; `alias` is the name of the table in the query. */
export const visitJson = (alias: string) => `json_build_object(
  'id', ${alias}.id, 'speciesId', ${alias}.species_id,
  'start', ${msSql(`${alias}.start_time`)}, 'end', ${msSql(`${alias}.end_time`)},
  'maxSimultaneous', ${alias}.max_simultaneous, 'detectionCount', ${alias}.detection_count,
  'videoCount', ${alias}.video_count)`;

/** `OFFSET 0` makes the planner restrict the detections of a long visit to the change before it joins. */
const members = {
  overlapping: `FROM touched JOIN span USING (species_id) CROSS JOIN LATERAL (
      SELECT * FROM detection WHERE visit_id = touched.id AND end_time >= span.low AND start_time <= span.high
      OFFSET 0) AS detection`,
  all: 'FROM touched JOIN detection ON detection.visit_id = touched.id',
};

/** `overlapping` reads only the detections that overlap the change, `all` those of all neighbouring visits. */
export type MembersToRead = keyof typeof members;

const readSql = (which: MembersToRead) => `
  WITH rule AS MATERIALIZED (SELECT *, gap_ms * interval '1 millisecond' AS gap FROM visit_rule),
  span AS MATERIALIZED (
    SELECT given.*, gap, low - gap AS reach_low, high + gap AS reach_high
    FROM rule, unnest($1::int[], $2::int[], $3::timestamptz[], $4::timestamptz[]) AS given (species_id, parent_id, low, high)),
  touched AS MATERIALIZED (
    SELECT DISTINCT visit.* FROM span, visits_near(span.species_id, reach_low, reach_high) AS visit),
  region AS MATERIALIZED (
    SELECT span.species_id, span.parent_id,
      least(span.reach_low, min(touched.start_time) - span.gap) AS low,
      greatest(span.reach_high, max(touched.end_time) + span.gap) AS high
    FROM span LEFT JOIN touched ON touched.species_id = span.species_id
    GROUP BY span.species_id, span.parent_id, span.reach_low, span.reach_high, span.gap),
  member AS MATERIALIZED (
    SELECT DISTINCT detection.id, detection.species_id, detection.visit_id, detection.start_time, detection.end_time,
      detection.source, video.camera_id
    ${members[which]} JOIN video ON video.id = detection.video_id
    WHERE detection.species_id = touched.species_id)
  SELECT
    (SELECT json_build_object('gapMs', gap_ms, 'timezone', timezone, 'treeRevision', tree_revision) FROM rule) AS rule,
    (SELECT coalesce(json_agg(${visitJson('touched')}), '[]') FROM touched) AS visits,
    (SELECT coalesce(json_agg(json_build_object(
        'id', id, 'speciesId', species_id, 'visitId', visit_id, 'start', ${msSql('start_time')},
        'end', ${msSql('end_time')}, 'source', source, 'cameraId', camera_id)), '[]') FROM member) AS detections,
    EXISTS (
      SELECT 1 FROM region CROSS JOIN unnest(ARRAY[region.species_id, region.parent_id]) AS of_species (id),
        attached_runs_near(of_species.id, region.low, region.high)
    ) OR EXISTS (
      SELECT 1 FROM touched JOIN attached_run run ON run.visit_id = touched.id
    ) OR EXISTS (
      SELECT 1 FROM region, visits_near(region.parent_id, region.low, region.high) AS audio_only
      WHERE audio_only.video_count = 0
    ) AS "meetsAttachments"`;

/** Reads the neighbourhood of the spans with one statement. The caller must hold the locks of the species. */
export async function readNeighbourhood(
  client: pg.ClientBase,
  spans: readonly ChangedSpan[],
  which: MembersToRead,
): Promise<Neighbourhood> {
  const { rows } = await client.query<Neighbourhood>({
    name: `neighbourhood-${which}`,
    text: readSql(which),
    values: [
      spans.map((span) => span.speciesId),
      spans.map((span) => span.parentId),
      spans.map((span) => new Date(span.start).toISOString()),
      spans.map((span) => new Date(span.end).toISOString()),
    ],
  });
  const [row] = rows;
  if (!row?.rule) throw new Error('the visit rule is missing from the database');
  return row;
}

/** Reads the rule of the stored visits. */
export async function readVisitRule(client: pg.ClientBase | pg.Pool): Promise<VisitRule> {
  const { rows } = await client.query<VisitRule>(
    'SELECT gap_ms AS "gapMs", timezone, tree_revision AS "treeRevision" FROM visit_rule',
  );
  const [rule] = rows;
  if (!rule) throw new Error('the visit rule is missing from the database');
  return rule;
}

/**
 * Writes plans and rollups with one statement. Further ones delete rollups that become empty, and move detections
 * between visits and delete visits. Returns the id of each planned visit.
 */
export async function writePlans(
  transaction: VisitTransaction,
  plans: readonly VisitPlan[],
  days: readonly DayDelta[],
): Promise<Map<PlannedVisit, number>> {
  const visits = plans.flatMap((plan) => plan.visits);
  const fresh = visits.filter((visit) => visit.before === undefined);
  const newIds = await transaction.visitIds.take(transaction.client, fresh.length);
  const idOf = new Map(fresh.map((visit, index) => [visit, newIds[index]]));
  const identified = visits.map((visit): Identified => {
    const id = visit.before?.id ?? idOf.get(visit);
    if (id === undefined) throw new Error('a new visit has no id');
    return [visit, id];
  });
  sendVisits(transaction, identified, days);
  const gone = plans.flatMap((plan) => plan.gone.map((visit) => visit.id));
  sendMoves(transaction, identified, gone);
  return new Map(identified);
}

/** Writes changes of the rollups without visits. */
export function writeRollups(transaction: VisitTransaction, days: readonly DayDelta[]): void {
  if (days.length) sendVisits(transaction, [], days);
}

const timestamps = (visit: VisitState) => ({
  start_time: new Date(visit.start).toISOString(),
  end_time: new Date(visit.end).toISOString(),
  max_simultaneous: visit.maxSimultaneous,
  detection_count: visit.detectionCount,
  video_count: visit.videoCount,
});

const visitColumns = `start_time timestamptz, end_time timestamptz, max_simultaneous int, detection_count int, video_count int`;

const writeVisits = `
  WITH changed AS (
    UPDATE species_visit SET start_time = next.start_time, end_time = next.end_time,
      max_simultaneous = next.max_simultaneous, detection_count = next.detection_count, video_count = next.video_count
    FROM json_to_recordset($2) AS next (id bigint, ${visitColumns}) WHERE species_visit.id = next.id),
  day AS MATERIALIZED (
    SELECT * FROM json_to_recordset($3) AS day (
      day date, species_id int, visits int, individuals int, video_visits int, detections int, seconds numeric)),
  days AS (
    INSERT INTO visit_day AS old (day, species_id, visits, individuals, video_visits, detections, seconds)
    SELECT day, species_id, visits, individuals, video_visits, detections, seconds FROM day
    ON CONFLICT (day, species_id) DO UPDATE SET
      visits = old.visits + EXCLUDED.visits, individuals = old.individuals + EXCLUDED.individuals,
      video_visits = old.video_visits + EXCLUDED.video_visits, detections = old.detections + EXCLUDED.detections,
      seconds = old.seconds + EXCLUDED.seconds),
  months AS (
    INSERT INTO visit_month AS old (year, month, species_id, visits, individuals, video_visits)
    SELECT span.year, extract(month FROM day), species_id, sum(visits), sum(individuals), sum(video_visits)
    FROM day CROSS JOIN LATERAL (VALUES (extract(year FROM day)), (0)) AS span (year)
    WHERE (visits, individuals, video_visits) <> (0, 0, 0) GROUP BY 1, 2, 3
    ON CONFLICT (year, month, species_id) DO UPDATE SET
      visits = old.visits + EXCLUDED.visits, individuals = old.individuals + EXCLUDED.individuals,
      video_visits = old.video_visits + EXCLUDED.video_visits),
  totals AS (
    INSERT INTO species_total AS old (species_id, visits, individuals)
    SELECT species_id, sum(visits), sum(individuals) FROM day GROUP BY species_id
    ON CONFLICT (species_id) DO UPDATE SET
      visits = old.visits + EXCLUDED.visits, individuals = old.individuals + EXCLUDED.individuals),
  counted AS (
    ${addToCounters(`(SELECT 'visits' AS name, sum(visits) AS value FROM day HAVING sum(visits) <> 0) AS counter`)})
  INSERT INTO species_visit (id, species_id, start_time, end_time, max_simultaneous, detection_count, video_count)
  SELECT id, species_id, start_time, end_time, max_simultaneous, detection_count, video_count
  FROM json_to_recordset($1) AS next (id bigint, species_id int, ${visitColumns})`;

/** Deletes the rollups of the given days whose values have all become zero, so that a row always means a visit. */
const deleteEmptyRollups = `
  WITH day AS MATERIALIZED (SELECT * FROM json_to_recordset($1) AS day (day date, species_id int)),
  days AS (
    DELETE FROM visit_day USING day WHERE visit_day.day = day.day AND visit_day.species_id = day.species_id
      AND (visits, individuals, video_visits, detections, seconds) = (0, 0, 0, 0, 0)),
  months AS (
    DELETE FROM visit_month USING day CROSS JOIN LATERAL (VALUES (extract(year FROM day)), (0)) AS span (year)
    WHERE visit_month.year = span.year AND month = extract(month FROM day) AND visit_month.species_id = day.species_id
      AND (visits, individuals, video_visits) = (0, 0, 0))
  DELETE FROM species_total USING day
  WHERE species_total.species_id = day.species_id AND (visits, individuals) = (0, 0)`;

/** The messages about a visit stay those of the visit that it is merged into. */
const moveDetections = `
  WITH moved AS (
    UPDATE detection SET visit_id = move.visit_id
    FROM json_to_recordset($1) AS move (id bigint, visit_id bigint) WHERE detection.id = move.id),
  merge AS MATERIALIZED (SELECT * FROM json_to_recordset($2) AS merge (absorbed_id bigint, visit_id bigint)),
  taken_over AS (
    UPDATE detection SET visit_id = merge.visit_id FROM merge WHERE detection.visit_id = merge.absorbed_id),
  messages AS (
    UPDATE notification SET visit_id = merge.visit_id FROM merge WHERE notification.visit_id = merge.absorbed_id)
  DELETE FROM species_visit WHERE id = ANY ($3)`;

function toDayRow(delta: DayDelta) {
  const { day, speciesId, visits, individuals, videoVisits, detections, durationMs } = delta;
  return {
    day,
    species_id: speciesId,
    visits,
    individuals,
    video_visits: videoVisits,
    detections,
    seconds: durationMs / 1000,
  };
}

/** A planned visit and its id. */
type Identified = readonly [PlannedVisit, number];

function sendVisits(
  { client, send }: VisitTransaction,
  visits: readonly Identified[],
  days: readonly DayDelta[],
): void {
  const rowOf = ([{ speciesId, state }, id]: Identified) => ({
    id,
    species_id: speciesId,
    ...timestamps(state),
  });
  const created = visits.filter(([visit]) => visit.before === undefined).map(rowOf);
  const changed = visits.filter(([visit]) => isChanged(visit)).map(rowOf);
  const values = [created, changed, days.map(toDayRow)].map((rows) => JSON.stringify(rows));
  send(client.query({ name: 'write-visits', text: writeVisits, values }));
  const reduced = days.filter((delta) => delta.visits < 0).map(toDayRow);
  if (!reduced.length) return;
  send(
    client.query({
      name: 'delete-empty-rollups',
      text: deleteEmptyRollups,
      values: [JSON.stringify(reduced)],
    }),
  );
}

function sendMoves(
  { client, send }: VisitTransaction,
  visits: readonly Identified[],
  gone: readonly number[],
): void {
  const moves = visits.flatMap(([visit, visitId]) => visit.joining.map((id) => ({ id, visit_id: visitId })));
  const merges = visits.flatMap(([visit, visitId]) =>
    visit.absorbed.map(({ id }) => ({ absorbed_id: id, visit_id: visitId })),
  );
  if (!moves.length && !gone.length) return;
  send(client.query(moveDetections, [JSON.stringify(moves), JSON.stringify(merges), gone]));
}

const idBlockSize = 64;

/** Ids for new visits, fetched in blocks, so that they are known before the rows are written. */
export interface VisitIds {
  /** Returns the next ids; fetches a new block on the caller's connection, which may be in a transaction. */
  take(client: pg.ClientBase, count: number): Promise<number[]>;
}

/** Creates the source of visit ids for one process; ids that are left over stay unused. */
export function createVisitIds(): VisitIds {
  const ids: number[] = [];
  const filling = createSingleFlight<void>();

  async function fill(client: pg.ClientBase, count: number): Promise<void> {
    const { rows } = await client.query<{ id: number }>(
      `SELECT nextval('species_visit_id_seq') AS id FROM generate_series(1, $1::int)`,
      [Math.max(idBlockSize, count)],
    );
    for (const { id } of rows) ids.push(id);
  }

  return {
    async take(client, count) {
      while (ids.length < count) await filling.run('fill', () => fill(client, count));
      return ids.splice(0, count);
    },
  };
}
