import { addToCounters, type IdBlock, type Send } from '@birdhub/shared/db';
import type pg from 'pg';
import { isChanged, type PlannedVisit, type VisitPlan } from './plan-visits.js';
import type { DayDelta } from './visit-rollups.js';
import type { VisitState } from './visit-state.js';

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

const moveDetections = `
  WITH moved AS (
    UPDATE detection SET visit_id = move.visit_id
    FROM json_to_recordset($1) AS move (id bigint, visit_id bigint) WHERE detection.id = move.id),
  taken_over AS (
    UPDATE detection SET visit_id = merge.visit_id
    FROM json_to_recordset($2) AS merge (absorbed_id bigint, visit_id bigint) WHERE detection.visit_id = merge.absorbed_id)
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

/** A transaction that writes visits. */
export interface VisitTransaction {
  readonly client: pg.ClientBase;
  readonly send: Send;
  readonly visitIds: IdBlock;
}

/** A planned visit and its id. */
type Placed = readonly [PlannedVisit, number];

function sendVisits(
  { client, send }: VisitTransaction,
  visits: readonly Placed[],
  days: readonly DayDelta[],
): void {
  const rowOf = ([{ speciesId, state }, id]: Placed) => ({ id, species_id: speciesId, ...timestamps(state) });
  const created = visits.filter(([visit]) => visit.before === undefined).map(rowOf);
  const changed = visits.filter(([visit]) => isChanged(visit)).map(rowOf);
  const values = [created, changed, days.map(toDayRow)].map((rows) => JSON.stringify(rows));
  send(client.query({ name: 'write-visits', text: writeVisits, values }));
}

function sendMoves(
  { client, send }: VisitTransaction,
  visits: readonly Placed[],
  gone: readonly number[],
): void {
  const moves = visits.flatMap(([visit, visitId]) => visit.joining.map((id) => ({ id, visit_id: visitId })));
  const merges = visits.flatMap(([visit, visitId]) =>
    visit.absorbed.map(({ id }) => ({ absorbed_id: id, visit_id: visitId })),
  );
  if (!moves.length && !gone.length) return;
  send(client.query(moveDetections, [JSON.stringify(moves), JSON.stringify(merges), gone]));
}

/** Adds to the rollups, and to nothing else. */
export function writeRollups(transaction: VisitTransaction, days: readonly DayDelta[]): void {
  if (days.length) sendVisits(transaction, [], days);
}

/**
 * Writes plans and rollups: one statement, and a second when detections move between visits or visits end.
 * Answers the id of every planned visit.
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
  const placed = visits.map((visit): Placed => {
    const id = visit.before?.id ?? idOf.get(visit);
    if (id === undefined) throw new Error('a new visit was given no id');
    return [visit, id];
  });
  sendVisits(transaction, placed, days);
  const gone = plans.flatMap((plan) => plan.gone.map((visit) => visit.id));
  sendMoves(transaction, placed, gone);
  return new Map(placed);
}
