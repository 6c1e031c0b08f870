import { contentTypeOf, mediaKindSql, recordingExtensions } from '@birdhub/domain/media';
import { maxReachMs, maxReachSql } from '@birdhub/domain/recordings';
import {
  type BoundFilters,
  unlinkedOfWindow,
  visitsOfWindow,
  visitsReachingInto,
  visitsStartingIn,
} from '@birdhub/domain/timeline';
import { queryRow } from '@birdhub/shared/db';
import { type DayWindow, msSql, type TimeWindow } from '@birdhub/shared/time';
import type pg from 'pg';
import { type Columns, lineSql } from '../csv.js';
import { TimeSlices } from '../time-slices.js';
import { isUnnamed, kindSql } from './classification.js';
import type { CameraWindow, Deployment } from './deployments.store.js';

/** The filter of an export: recordings that start in a window, and their detections of visits that pass filters. */
export interface ScienceSearch extends CameraWindow {
  readonly filters: BoundFilters;
  /** The local days that overlap the window, clipped to it. */
  readonly days: readonly DayWindow[];
  /** Unreviewed detections below this confidence are doubtful. */
  readonly doubtBelow: number;
  /** The base URL of recordings. */
  readonly mediaBase: string;
}

/** An exported taxon with its names. */
export interface Taxon {
  readonly scientificName: string;
  /** Null for a class. */
  readonly name: string | null;
  readonly rank: string;
  readonly family: string | null;
}

/** Parameters of all statements of slices, followed by filters. */
const first = {
  sliceStart: '$1',
  sliceEnd: '$2',
  windowStart: '$3',
  windowEnd: '$4',
  camera: '$5',
  doubtBelow: '$6',
  deployments: '$7',
  deploymentCameras: '$8',
  deploymentStarts: '$9',
  deploymentEnds: '$10',
  mediaBase: '$11',
  days: '$12',
  dayStarts: '$13',
} as const;
const firstFilter = 14;

/** All statements use all parameters, so that PostgreSQL can determine their types. */
const givenSql = `given AS (SELECT $1::timestamptz, $2::timestamptz, $3::timestamptz, $4::timestamptz, $5::text, $6::float8,
  $7::text[], $8::text[], $9::timestamptz[], $10::timestamptz[], $11::text, $12::text[], $13::timestamptz[])`;

const deploymentSql = `deployment AS MATERIALIZED (
  SELECT * FROM unnest(${first.deployments}::text[], ${first.deploymentCameras}::text[],
    ${first.deploymentStarts}::timestamptz[], ${first.deploymentEnds}::timestamptz[]) d (id, camera_id, starts, ends))`;
const deploymentJoin = `JOIN deployment ON deployment.camera_id = video.camera_id
  AND video.start_time BETWEEN deployment.starts AND deployment.ends`;
const inWindow = `video.start_time >= ${first.windowStart} AND video.start_time < ${first.windowEnd}
  AND (${first.camera}::text IS NULL OR video.camera_id = ${first.camera})`;

/** Reads the taxa of the visits of a window, including doubtful ones, sorted by name. */
export async function readTaxa(client: pg.ClientBase, { window, filters }: ScienceSearch): Promise<Taxon[]> {
  // A visit of a recording that starts in the window may start later.
  const { rows } = await client.query<Taxon>(
    `WITH ${kindSql}
     SELECT DISTINCT ON (taxon) taxon AS "scientificName", CASE WHEN NOT ${isUnnamed('kind.rank')} THEN taxon_name END AS name,
       kind.rank, (
         SELECT CASE WHEN parent.rank = 'family' THEN parent.scientific_name WHEN top.rank = 'family' THEN top.scientific_name END
         FROM species own JOIN species parent ON parent.id = own.parent_id LEFT JOIN species top ON top.id = parent.parent_id
         WHERE own.id = kind.species_id) AS family
     FROM kind JOIN (SELECT DISTINCT species_id FROM (${visitsOfWindow(filters.names, 3)}) visit) seen USING (species_id)
     WHERE taxon IS NOT NULL ORDER BY taxon, of_form, kind.species_id`,
    [new Date(window.start), new Date(window.end + maxReachMs), ...filters.values],
  );
  return rows;
}

/** A table whose rows are formatted by the database in slices. */
export interface RowSource {
  /** Returns the statement that formats the rows of a slice as one text and counts them. */
  readonly sql: (part: 'starting' | 'reaching', filters: BoundFilters) => string;
  /** Whether it is sliced by the start of visits; else of recordings. */
  readonly ofVisits: boolean;
}

const asText = (ctes: string, columns: Columns, from: string, order: string) => `
  WITH ${givenSql}, ${ctes}
  SELECT coalesce(string_agg(line, '' ORDER BY ${order}), '') AS text, count(*)::int AS rows
  FROM (SELECT ${lineSql(columns)} AS line, item.* FROM (${from}) item) lines`;

/**
 * SQL: the recordings of a slice; with filters, those with a detection of a passing visit, and passing ones without
 * detections.
 */
function recordingsSql({ names }: BoundFilters): string {
  // The window of the filters is $1 to $2: from the start of the slice to the latest end of its recordings.
  const recording = (condition: string) => `recording AS MATERIALIZED (
    SELECT video.*, deployment.id AS deployment_id, ${mediaKindSql('video')} AS media_kind
    FROM video ${deploymentJoin}
    WHERE video.start_time >= ${first.sliceStart} AND video.start_time < ${first.sliceEnd} - ${maxReachSql}
      AND ${inWindow} ${condition})`;
  if (!names.length) return `${deploymentSql}, ${recording('')}`;
  return `${deploymentSql},
    chosen AS MATERIALIZED (SELECT id FROM (${visitsOfWindow(names, firstFilter)}) visit),
    blank AS MATERIALIZED (SELECT id FROM (${unlinkedOfWindow(names, firstFilter)}) unlinked),
    ${recording(`AND (video.id IN (SELECT id FROM blank) OR EXISTS (
      SELECT FROM detection WHERE video_id = video.id AND visit_id IN (SELECT id FROM chosen)))`)}`;
}

const hasMedium = 'media_kind IS NOT NULL';

/** The recordings of the search with a medium, with `media_kind` and `deployment_id`. */
export const recordingRows = (columns: Columns): RowSource => ({
  ofVisits: false,
  sql: (_part, filters) =>
    asText(recordingsSql(filters), columns, `SELECT * FROM recording WHERE ${hasMedium}`, 'start_time, id'),
});

/** SQL: the largest box of a detection within the picture, clipped to it. Each frame is parsed once. */
const boxSql = `LEFT JOIN LATERAL (
  SELECT x1, y1, x2 - x1 AS width, y2 - y1 AS height
  FROM json_to_recordset(detection_track.frames) frame (bbox float8[]) CROSS JOIN LATERAL (
    SELECT greatest(0, least(1, bbox[1])) AS x1, greatest(0, least(1, bbox[2])) AS y1, greatest(0, least(1, bbox[3])) AS x2,
      greatest(0, least(1, bbox[4])) AS y2
  ) box WHERE x2 - x1 >= 0.0001 AND y2 - y1 >= 0.0001 ORDER BY (x2 - x1) * (y2 - y1) DESC LIMIT 1
) best ON true`;

const isDoubtful = (reviewed: string, confidence: string) =>
  `(NOT ${reviewed} AND ${confidence} < ${first.doubtBelow}::float8)`;

/** The detections of the search, each with its best box, and the recordings without any (`detection_id` null). */
export const detectionRows = (columns: Columns): RowSource => ({
  ofVisits: false,
  sql: (_part, filters) =>
    asText(
      `${recordingsSql(filters)}, ${kindSql}`,
      columns,
      `SELECT recording.id AS video_id, recording.deployment_id, recording.start_time AS video_start, recording.end_time AS video_end,
         recording.created_at, recording.processor_version, detection.id AS detection_id, detection.visit_id, detection.start_time,
         detection.end_time, detection.confidence, detection.source, detection.reviewed, detection.reviewed_at,
         detection.detection_provider, detection.posted_name, detection.plumage, kind.name, kind.type, kind.taxon, kind.rank, kind.of_form,
         ${isDoubtful('detection.reviewed', 'detection.confidence')} AS doubtful, best.*
       FROM recording JOIN detection ON detection.video_id = recording.id
         ${filters.names.length ? 'AND detection.visit_id IN (SELECT id FROM chosen)' : ''}
         JOIN kind USING (species_id) LEFT JOIN detection_track ON detection_id = detection.id ${boxSql}
       WHERE ${hasMedium}
       UNION ALL
       SELECT id, deployment_id, start_time, end_time, created_at, processor_version, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
         NULL, NULL, NULL, NULL, 'blank', NULL, NULL, false, false, NULL, NULL, NULL, NULL
       FROM recording WHERE detection_count = 0 AND ${hasMedium}`,
      'video_start, video_id, detection_id',
    ),
});

/** SQL: the parts of visits that one deployment recorded, from the start of their first recording. */
const eventsSql = (part: 'starting' | 'reaching', { names }: BoundFilters) => `${deploymentSql}, ${kindSql},
  found AS MATERIALIZED (
    SELECT * FROM (${(part === 'starting' ? visitsStartingIn : visitsReachingInto)(names, firstFilter)}) visit
    WHERE ${first.sliceEnd}::timestamptz IS NOT NULL),
  event AS MATERIALIZED (
    SELECT found.id AS visit_id, found.species_id, found.max_simultaneous, deployment.id AS deployment_id, deployment.starts, deployment.ends,
      min(video.start_time) AS start_time, max(detection.end_time) AS end_time, max(detection.confidence) AS confidence,
      bool_or(detection.reviewed) AS reviewed, max(detection.reviewed_at) AS reviewed_at, max(video.created_at) AS created_at,
      max(detection.detection_provider) AS detection_provider, max(video.processor_version) AS processor_version,
      bool_and(detection.source = 'audio') AS heard_only, max(video.camera_id) AS camera_id,
      CASE WHEN min(detection.plumage) = max(detection.plumage) AND count(detection.plumage) = count(*)
        THEN min(detection.plumage) END AS plumage
    FROM found JOIN detection ON detection.visit_id = found.id JOIN video ON video.id = detection.video_id AND ${inWindow}
      ${deploymentJoin}
    GROUP BY found.id, found.species_id, found.max_simultaneous, deployment.id, deployment.starts, deployment.ends)`;

/** The events of the search; columns are read from `item`. */
export const eventRows = (columns: Columns, condition = 'true'): RowSource => ({
  ofVisits: true,
  sql: (part, filters) =>
    asText(
      eventsSql(part, filters),
      columns,
      `SELECT event.*, kind.name, kind.type, kind.taxon, kind.rank, kind.of_form,
         ${isDoubtful('event.reviewed', 'event.confidence')} AS doubtful
       FROM event JOIN kind USING (species_id) WHERE ${condition}`,
      'start_time, visit_id, deployment_id',
    ),
});

/** SQL: events that identify an animal without doubt. */
export const isOccurrence = `kind.type = 'animal' AND NOT ${isDoubtful('event.reviewed', 'event.confidence')}`;

/**
 * The recordings of each event that meets a condition whose file exists; columns are read from `item`, a recording with
 * its `visit_id`.
 */
export const eventMediaRows = (columns: Columns, condition: string): RowSource => ({
  ofVisits: true,
  sql: (part, filters) =>
    asText(
      eventsSql(part, filters),
      columns,
      `SELECT DISTINCT event.visit_id, event.deployment_id, video.id AS video_id, video.start_time, video.camera_id,
         video.video_path, video.media, ${mediaKindSql('video')} AS media_kind
       FROM event JOIN kind USING (species_id) JOIN detection ON detection.visit_id = event.visit_id
         JOIN video ON video.id = detection.video_id AND ${inWindow} ${deploymentJoin} AND deployment.id = event.deployment_id
       WHERE ${condition} AND ${mediaKindSql('video')} IS NOT NULL AND video.media = 'ready'`,
      'start_time, video_id, visit_id',
    ),
});

/** Returns the parameters of the statements of a slice. */
function valuesOf(search: ScienceSearch, slice: TimeWindow, deployments: readonly Deployment[]): unknown[] {
  const { window, filters, days, cameraId, doubtBelow, mediaBase } = search;
  return [
    new Date(slice.start),
    new Date(slice.end),
    new Date(window.start),
    new Date(window.end),
    cameraId ?? null,
    doubtBelow,
    deployments.map(({ id }) => id),
    deployments.map((deployment) => deployment.cameraId),
    deployments.map(({ start }) => new Date(Number(start))),
    deployments.map(({ end }) => new Date(Number(end))),
    mediaBase,
    days.map(({ day }) => day),
    days.map((day) => new Date(day.start)),
    ...filters.values,
  ];
}

/** Extends a window to the latest end of its recordings. */
const reachOf = ({ start, end }: TimeWindow): TimeWindow => ({ start, end: end + maxReachMs });

/** The visits of a search by classification; a visit of two deployments counts for both. */
export interface EventCounts {
  readonly events: number;
  readonly occurrences: number;
  readonly species: number;
  readonly reviewed: number;
  readonly doubtful: number;
  readonly unnamed: number;
  readonly notAnimal: number;
}

/** Counts the events of a search. */
export async function countEvents(
  client: pg.ClientBase,
  search: ScienceSearch,
  deployments: readonly Deployment[],
): Promise<EventCounts> {
  const parts = (['starting', 'reaching'] as const).map(async (part) => {
    const slice = part === 'starting' ? reachOf(search.window) : search.window;
    return queryRow<Omit<EventCounts, 'species'> & { taxa: string[] }>(client, {
      text: `WITH ${givenSql}, ${eventsSql(part, search.filters)},
       judged AS (
         SELECT *, ${isOccurrence} AS occurs, ${isDoubtful('event.reviewed', 'event.confidence')} AS doubtful
         FROM event JOIN kind USING (species_id))
       SELECT count(*)::int AS events, (count(*) FILTER (WHERE occurs))::int AS occurrences,
         coalesce(array_agg(DISTINCT taxon) FILTER (WHERE occurs), '{}') AS taxa,
         (count(*) FILTER (WHERE occurs AND reviewed))::int AS reviewed, (count(*) FILTER (WHERE doubtful))::int AS doubtful,
         (count(*) FILTER (WHERE occurs AND ${isUnnamed('rank')}))::int AS unnamed,
         (count(*) FILTER (WHERE type <> 'animal' AND NOT doubtful))::int AS "notAnimal"
       FROM judged event`,
      values: valuesOf(search, slice, deployments),
    });
  });
  const counts = await Promise.all(parts);
  const sum = (key: Exclude<keyof EventCounts, 'species'>) =>
    counts.reduce((total, one) => total + one[key], 0);
  return {
    events: sum('events'),
    occurrences: sum('occurrences'),
    species: new Set(counts.flatMap(({ taxa }) => taxa)).size,
    reviewed: sum('reviewed'),
    doubtful: sum('doubtful'),
    unnamed: sum('unnamed'),
    notAnimal: sum('notAnimal'),
  };
}

/** Counts the recordings of a search: with a medium, with an existing file and its size, and without a medium. */
export async function countRecordings(
  client: pg.ClientBase,
  search: ScienceSearch,
  deployments: readonly Deployment[],
): Promise<{ recordings: number; files: number; bytes: number; withoutMedium: number }> {
  const counts = await queryRow<{
    recordings: number;
    files: number;
    bytes: string;
    withoutMedium: number;
  }>(client, {
    text: `WITH ${givenSql}, ${recordingsSql(search.filters)}
     SELECT (count(*) FILTER (WHERE ${hasMedium}))::int AS recordings,
       (count(*) FILTER (WHERE media = 'ready' AND ${hasMedium}))::int AS files,
       coalesce(sum(file_size) FILTER (WHERE media = 'ready' AND ${hasMedium}), 0)::bigint AS bytes,
       (count(*) FILTER (WHERE NOT coalesce(${hasMedium}, false)))::int AS "withoutMedium"
     FROM recording`,
    values: valuesOf(search, reachOf(search.window), deployments),
  });
  return { ...counts, bytes: Number(counts.bytes) };
}

/** Reads the rows of a table as text, newest slice first, in non-empty chunks of some thousands. */
export async function* readScienceRows(
  client: pg.ClientBase,
  source: RowSource,
  search: ScienceSearch,
  deployments: readonly Deployment[],
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const { window, filters } = search;
  const query = async (part: 'starting' | 'reaching', slice: TimeWindow) => {
    signal.throwIfAborted();
    const values = valuesOf(search, slice, deployments);
    return queryRow<{ text: string; rows: number }>(client, { text: source.sql(part, filters), values });
  };
  const slices = new TimeSlices(source.ofVisits ? reachOf(window) : window);
  for (let slice = slices.next(); slice; slice = slices.next()) {
    const { text, rows } = await query('starting', source.ofVisits ? slice : reachOf(slice));
    slices.adapt(slice, rows);
    if (text) yield Buffer.from(text);
  }
  if (!source.ofVisits) return;
  const { text } = await query('reaching', window);
  if (text) yield Buffer.from(text);
}

const mediaTypes = [...recordingExtensions, '.jpg', '.jpeg', '.png', '.webp'];
const extensionSql = `lower(substring(video_path from '\\.[A-Za-z0-9]{1,5}$'))`;

/** SQL: the name of a recording's file in an archive; `id` is its id column. */
export const fileNameSql = (id: string): string => `${id} || coalesce(${extensionSql}, '')`;

/** SQL: the content type of a recording by its path. */
export const mediaTypeSql = `CASE ${extensionSql} ${mediaTypes
  .map((extension) => `WHEN '${extension}' THEN '${contentTypeOf(`x${extension}`)}'`)
  .join(' ')} ELSE media_kind || '/*' END`;

/** SQL: the URL of a recording's file; `id` is its id column. */
export const mediaAddressSql = (id: string): string =>
  `${first.mediaBase}::text || '/api/ui/videos/' || ${id} || '/stream'`;

/** SQL: the local day of an instant in the window, `YYYY-MM-DD`. */
export const localDaySql = (instant: string): string =>
  `(${first.days}::text[])[width_bucket(${instant}, ${first.dayStarts}::timestamptz[])]`;

/** A recording whose file is part of an archive. */
export interface MediaFileRow {
  readonly videoPath: string;
  readonly name: string;
  readonly start: number;
}

/** The recordings with a file, as JSON lines. */
export const mediaFileRows: RowSource = {
  ofVisits: false,
  sql: (_part, filters) => `
    WITH ${givenSql}, ${recordingsSql(filters)}
    SELECT coalesce(string_agg(json_build_object('videoPath', video_path, 'name', ${fileNameSql('id')},
      'start', ${msSql('start_time')})::text, chr(10) ORDER BY start_time, id), '') AS text,
      count(*)::int AS rows
    FROM recording WHERE ${hasMedium} AND media = 'ready'`,
};
