import { type TimelineFilter, visitsReachingInto, visitsStartingIn } from '@birdhub/domain/timeline';

/** The visits that start in a slice of time, or those that reach into it from before. */
export type SlicePart = 'starting' | 'reaching';

const parts = { starting: visitsStartingIn, reaching: visitsReachingInto };

/** Parameters: start and end of the slice, filters. */
const visitsOf = (part: SlicePart, filters: readonly TimelineFilter[]) =>
  // Both parts take the same parameters, so both name the second.
  `SELECT * FROM (${parts[part](filters, 3)}) visit WHERE $2::timestamptz IS NOT NULL`;

const formats = {
  csv: {
    /** A cell as RFC 4180 wants it, and such that a spreadsheet does not take it for a formula. */
    name: `(
      SELECT CASE WHEN cell ~ '[",[:cntrl:]]' THEN '"' || replace(cell, '"', '""') || '"' ELSE cell END
      FROM (SELECT CASE WHEN name ~ '^[=+@[:cntrl:]-]' THEN '''' ELSE '' END || name AS cell) neutral)`,
    line: `concat_ws(',', id, species_name, to_json(start_time) #>> '{}', to_json(end_time) #>> '{}', duration_sec,
      max_simultaneous, detection_count, coalesce(temp::text, ''), coalesce(clouds::text, '')) || chr(13) || chr(10)`,
    separator: '',
  },
  json: { name: 'name', line: 'row_to_json(visit)::text', separator: ',' },
} as const;

/** The formats whose rows the database writes, as that is several times faster than here. */
export type RowFormat = keyof typeof formats;

/** The recordings in which the visits of `found` have detections. */
const recordingsByVisit = 'found JOIN detection ON visit_id = found.id JOIN video ON video.id = video_id';

/**
 * The recordings with which the visits that start in a slice can have begun, several times faster for many visits. None
 * is longer than a day and its slack, but heard runs that are attached to a visit may have begun long before it.
 */
const recordingsByTime = `video JOIN detection ON video_id = video.id
        AND video.start_time < $2 AND video.start_time >= least($1,
          (SELECT min(start_time) FROM attached_run WHERE visit_id IN (SELECT id FROM found))) - interval '25 hours'`;

/** One statement that writes the rows of a slice, newest first, as one text, and says how many there are. */
export function rowsSql(format: RowFormat, part: SlicePart, filters: readonly TimelineFilter[]): string {
  const { name, line, separator } = formats[format];
  const isWhole = part === 'starting' && filters.length === 0;
  return `
    WITH found AS MATERIALIZED (${visitsOf(part, filters)}),
    begun AS (
      SELECT DISTINCT ON (visit_id) visit_id, weather_id
      FROM ${isWhole ? recordingsByTime : recordingsByVisit}
      ORDER BY visit_id, video.start_time, video.id
    ), air AS MATERIALIZED (
      SELECT id AS weather_id, temp, clouds FROM weather_snapshot WHERE id IN (SELECT weather_id FROM begun)
    ), kind AS MATERIALIZED (
      SELECT id AS species_id, ${name} AS species_name FROM species WHERE id IN (SELECT species_id FROM found)
    )
    SELECT coalesce(string_agg(${line}, '${separator}' ORDER BY start_time DESC, id DESC), '') AS found,
      count(*) AS rows
    FROM (
      SELECT found.id, species_name, found.start_time, found.end_time,
        trim_scale(extract(epoch FROM found.end_time - found.start_time)) AS duration_sec,
        max_simultaneous, detection_count, temp, clouds
      FROM found JOIN kind USING (species_id) LEFT JOIN begun ON visit_id = found.id
        LEFT JOIN air USING (weather_id)
    ) visit`;
}

/** The visits of a slice, newest first, without those of generic species. */
export const sightingsSql = (part: SlicePart, filters: readonly TimelineFilter[]): string => `
  SELECT name, scientific_name AS "scientificName", max_simultaneous AS count,
    (extract(epoch FROM start_time) * 1000)::bigint AS start, (extract(epoch FROM end_time) * 1000)::bigint AS end
  FROM (${visitsOf(part, filters)}) found JOIN species ON species.id = species_id
  WHERE NOT generic ORDER BY start_time DESC, found.id DESC`;
