import { mediaKindSql } from '@birdhub/domain/media';
import { maxReachSql } from '@birdhub/domain/recordings';
import { countedSql } from '@birdhub/domain/species';
import {
  type BoundFilters,
  type TimelineFilter,
  visitsReachingInto,
  visitsStartingIn,
} from '@birdhub/domain/timeline';
import { queryRow } from '@birdhub/shared/db';
import { msSql, type TimeWindow } from '@birdhub/shared/time';
import type pg from 'pg';
import { freeTextSql } from '../csv.js';
import { readSnapshot } from '../read-snapshot.js';
import { TimeSlices } from '../time-slices.js';

/** The filter of an export of timeline visits. */
export interface ExportSearch {
  readonly window: TimeWindow;
  readonly filters: BoundFilters;
}

/** A visit of a bird of a known species; instants in ms since the epoch. */
export interface Sighting {
  readonly name: string;
  readonly scientificName: string | null;
  /** Maximum number of simultaneous birds. */
  readonly count: number;
  readonly start: number;
  readonly end: number;
  /** Whether all detections are by sound. */
  readonly isHeard: boolean;
}

/** Formats whose rows are formatted by the database, which is several times faster than in Node. */
const rowFormats = {
  csv: {
    name: freeTextSql('name'),
    line: `concat_ws(',', id, species_name, to_json(start_time) #>> '{}', to_json(end_time) #>> '{}', duration_sec,
      max_simultaneous, detection_count, coalesce(temp::text, ''), coalesce(clouds::text, ''),
      coalesce(media_kind, '')) || chr(13) || chr(10)`,
    separator: '',
  },
  json: { name: 'name', line: 'row_to_json(visit)::text', separator: ',' },
} as const;

/** Reads the rows of an export as text, newest first, in non-empty chunks of some thousands. */
export function readRows(
  pool: pg.Pool,
  format: keyof typeof rowFormats,
  search: ExportSearch,
): AsyncGenerator<string> {
  return readSnapshot(pool, async function* (client) {
    const query = (part: SlicePart) => (filters: readonly TimelineFilter[], values: unknown[]) =>
      queryRow<SliceResult<string>>(client, { text: rowsSql(format, part, filters), values });
    for await (const text of readSlices(search, query('starting'))) if (text) yield text;
    const { window, filters } = search;
    const { found } = await query('reaching')(filters.names, valuesOf(window, filters));
    if (found) yield found;
  });
}

/**
 * Reads the visits that start in the window of an export, newest first in slices, without generic species and other
 * animals; abortable.
 */
export function readSightings(
  pool: pg.Pool,
  search: ExportSearch,
  signal: AbortSignal,
): AsyncGenerator<readonly Sighting[]> {
  return readSnapshot(pool, async function* (client) {
    const slices = readSlices(search, async (filters, values) => {
      const { rows: found } = await client.query<Sighting>(sightingsSql(filters), values);
      return { found, rows: found.length };
    });
    for await (const sightings of slices) {
      signal.throwIfAborted();
      yield sightings;
    }
  });
}

/** The result of a statement for a slice, and its number of rows. */
interface SliceResult<T> {
  readonly found: T;
  readonly rows: number;
}

/** The visits that start in a slice, or those that started before and overlap it. */
type SlicePart = 'starting' | 'reaching';

type SliceQuery<T> = (filters: readonly TimelineFilter[], values: unknown[]) => Promise<SliceResult<T>>;

/** Returns the parameters of a statement: start and end of the slice, filters. */
const valuesOf = ({ start, end }: TimeWindow, filters: BoundFilters): unknown[] => [
  new Date(start),
  new Date(end),
  ...filters.values,
];

/** Queries the slices of a window, newest first; prefetches two while one is in use. */
async function* readSlices<T>({ window, filters }: ExportSearch, query: SliceQuery<T>): AsyncGenerator<T> {
  const querySlice = (slice: TimeWindow) => {
    const result = query(filters.names, valuesOf(slice, filters));
    // Prevents an unhandled rejection before it is awaited.
    void Promise.allSettled([result]);
    return result;
  };
  const slices = new TimeSlices(window);
  const queue: { readonly slice: TimeWindow; readonly result: Promise<SliceResult<T>> }[] = [];
  const queryNext = () => {
    const slice = slices.next();
    if (slice) queue.push({ slice, result: querySlice(slice) });
  };
  queryNext();
  // The second query runs while the first result is received.
  queryNext();
  for (let first = queue.shift(); first; first = queue.shift()) {
    const { found, rows } = await first.result;
    slices.adapt(first.slice, rows);
    queryNext();
    yield found;
  }
}

const visitsSqlOf = { starting: visitsStartingIn, reaching: visitsReachingInto };

/** Parameters: start and end of the slice, filters. */
const visitsOf = (part: SlicePart, filters: readonly TimelineFilter[]) =>
  // Both parts have the same parameters, so both must use the second.
  `SELECT * FROM (${visitsSqlOf[part](filters, 3)}) visit WHERE $2::timestamptz IS NOT NULL`;

/** SQL: the recordings in which the visits of `found` have detections. */
const recordingsByVisit = 'found JOIN detection ON visit_id = found.id JOIN video ON video.id = video_id';

/**
 * SQL: the recordings that may contain the start of visits of a slice, several times faster for many visits. Audio-only
 * runs attached to a visit may start long before it.
 */
const recordingsByTime = `video JOIN detection ON video_id = video.id
        AND video.start_time < $2
        AND video.start_time >= least($1, (SELECT min(start_time) FROM attached)) - ${maxReachSql}`;

/** SQL: the audio-only runs that are attached to visits of `found`. */
const attachedSql = `attached AS MATERIALIZED (
      SELECT visit_id, start_time, end_time FROM attached_run WHERE visit_id IN (SELECT id FROM found))`;

const mediaKind = `max(${mediaKindSql('video')})`;

/** SQL: the media kind of a visit, also by the recordings after the slice, in which few visits end. */
const mediaKindBeyond = `CASE
          WHEN found.end_time >= $2 OR found.id IN (SELECT visit_id FROM attached WHERE end_time >= $2) THEN greatest(media_kind, (
            SELECT ${mediaKind} FROM detection JOIN video ON video.id = video_id
            WHERE visit_id = found.id AND video.start_time >= $2))
          ELSE media_kind END`;

/** Returns a statement that formats the rows of a slice, newest first, as one text, and counts them. */
function rowsSql(
  format: keyof typeof rowFormats,
  part: SlicePart,
  filters: readonly TimelineFilter[],
): string {
  const { name, line, separator } = rowFormats[format];
  const isWhole = part === 'starting' && filters.length === 0;
  return `
    WITH found AS MATERIALIZED (${visitsOf(part, filters)}),
    ${isWhole ? `${attachedSql},` : ''}
    started AS (
      SELECT DISTINCT ON (visit_id) visit_id, weather_id,
        ${mediaKind} OVER (PARTITION BY visit_id) AS media_kind
      FROM ${isWhole ? recordingsByTime : recordingsByVisit}
      ORDER BY visit_id, video.start_time, video.id
    ), air AS MATERIALIZED (
      SELECT id AS weather_id, temp, clouds FROM weather_snapshot WHERE id IN (SELECT weather_id FROM started)
    ), kind AS MATERIALIZED (
      SELECT id AS species_id, ${name} AS species_name FROM species WHERE id IN (SELECT species_id FROM found)
    )
    SELECT coalesce(string_agg(${line}, '${separator}' ORDER BY start_time DESC, id DESC), '') AS found,
      count(*) AS rows
    FROM (
      SELECT found.id, species_name, found.start_time, found.end_time,
        trim_scale(extract(epoch FROM found.end_time - found.start_time)) AS duration_sec,
        max_simultaneous, detection_count, temp, clouds,
        ${isWhole ? mediaKindBeyond : 'media_kind'} AS media_kind
      FROM found JOIN kind USING (species_id) LEFT JOIN started ON visit_id = found.id
        LEFT JOIN air USING (weather_id)
    ) visit`;
}

/** SQL: the visits that start in a slice, by birds of a known species, newest first. */
const sightingsSql = (filters: readonly TimelineFilter[]): string => `
  SELECT name, scientific_name AS "scientificName", max_simultaneous AS count,
    ${msSql('start_time')} AS start, ${msSql('end_time')} AS end,
    video_count = 0 AS "isHeard"
  FROM (${visitsStartingIn(filters, 3)}) found JOIN species ON species.id = species_id
  WHERE ${countedSql()} ORDER BY start_time DESC, found.id DESC`;
