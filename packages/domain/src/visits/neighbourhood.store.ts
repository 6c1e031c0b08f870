import type pg from 'pg';
import type { Interval } from './interval.js';
import type { StoredDetection, StoredVisit, VisitRule } from './visit-state.js';

/** Where the detections of a species change. */
export interface SpeciesSpan extends Interval {
  readonly speciesId: number;
  readonly parentId: number | null;
}

/** What stands beside a change. */
export interface Neighbourhood {
  readonly rule: VisitRule;
  /** The visits of the changed species within the gap of a change. */
  readonly visits: readonly StoredVisit[];
  readonly detections: readonly StoredDetection[];
  /** Whether a run that was only heard is attached here, or might have to be. */
  readonly meetsAttachments: boolean;
}

const msOf = (column: string) => `(extract(epoch FROM ${column}) * 1000)::bigint`;

/** A visit as JSON; `alias` is the table's name in the query. */
export const visitJson = (alias: string) => `json_build_object(
  'id', ${alias}.id, 'speciesId', ${alias}.species_id,
  'start', ${msOf(`${alias}.start_time`)}, 'end', ${msOf(`${alias}.end_time`)},
  'maxSimultaneous', ${alias}.max_simultaneous, 'detectionCount', ${alias}.detection_count,
  'videoCount', ${alias}.video_count)`;

/** The planner is kept from joining before it has narrowed the detections of a long visit down to the change. */
const members = {
  overlapping: `FROM touched JOIN span USING (species_id) CROSS JOIN LATERAL (
      SELECT * FROM detection WHERE visit_id = touched.id AND end_time >= span.low AND start_time <= span.high
      OFFSET 0) AS detection`,
  all: 'FROM touched JOIN detection ON detection.visit_id = touched.id',
};

/** `overlapping` reads only the detections that overlap the change, `all` every one of the visits beside it. */
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
        'id', id, 'speciesId', species_id, 'visitId', visit_id, 'start', ${msOf('start_time')},
        'end', ${msOf('end_time')}, 'source', source, 'cameraId', camera_id)), '[]') FROM member) AS detections,
    EXISTS (
      SELECT 1 FROM region JOIN attached_run run ON run.species_id IN (region.species_id, region.parent_id)
      WHERE run.start_time <= region.high AND run.end_time >= region.low
    ) OR EXISTS (
      SELECT 1 FROM touched JOIN attached_run run ON run.visit_id = touched.id
    ) OR EXISTS (
      SELECT 1 FROM region, visits_near(region.parent_id, region.low, region.high) AS heard
      WHERE heard.video_count = 0
    ) AS "meetsAttachments"`;

/** Reads what stands beside the spans, in one statement. The caller holds the locks of the species. */
export async function readNeighbourhood(
  client: pg.ClientBase,
  spans: readonly SpeciesSpan[],
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
