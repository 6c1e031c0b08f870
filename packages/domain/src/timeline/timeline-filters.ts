import { currentSpeciesSql } from '../species/directory.js';
import { hoursOf, type TimelineFilters } from './timeline-parameters.js';

/** What a filter looks at: a detection of the item, the recording of one, or the item itself. */
interface Condition {
  readonly of: 'detection' | 'recording' | 'item';
  /** The condition as SQL; `item` is the alias of the visit or recording. */
  sql(parameter: string, item: string): string;
}

/** The hour of the day at which an item starts; the parameter is an array of the zone and the hours that pass. */
const startsInHours = (parameter: string, item: string) =>
  `extract(hour FROM ${item}.start_time AT TIME ZONE (${parameter}::text[])[1])::text = ANY ((${parameter}::text[])[2:])`;

/** The filters of the timeline: an item is in it when one of its detections, with its recording, passes all. */
const conditions = {
  camera_id: { of: 'recording', sql: (parameter) => `video.camera_id = ${parameter}` },
  species_id: {
    of: 'detection',
    sql: (parameter) => `detection.species_id = ${currentSpeciesSql(parameter)}`,
  },
  min_confidence: { of: 'detection', sql: (parameter) => `detection.confidence >= ${parameter}` },
  source: { of: 'detection', sql: (parameter) => `detection.source = ${parameter}` },
  detection_source: { of: 'detection', sql: (parameter) => `detection.source = ${parameter}` },
  detection_provider: { of: 'detection', sql: (parameter) => `detection.detection_provider = ${parameter}` },
  trigger_source: { of: 'recording', sql: (parameter) => `video.trigger_source = ${parameter}` },
  favorite: { of: 'recording', sql: (parameter) => `video.favorite = ${parameter}` },
  favorite_only: { of: 'recording', sql: (parameter) => `(video.favorite OR NOT ${parameter}::boolean)` },
  hour: { of: 'item', sql: startsInHours },
  time_of_day: { of: 'item', sql: startsInHours },
  min_duration_sec: {
    of: 'item',
    sql: (parameter, item) => `${item}.end_time - ${item}.start_time >= make_interval(secs => ${parameter})`,
  },
} satisfies Record<string, Condition>;

/** The name of a filter, as the query parameter has it. */
export type TimelineFilter = keyof typeof conditions;

const filterNames = Object.keys(conditions) as TimelineFilter[];

/** Filters and their values as the statements take them, in the same order. */
export interface BoundFilters {
  readonly names: readonly TimelineFilter[];
  readonly values: readonly unknown[];
}

function bind(name: TimelineFilter, filters: TimelineFilters, zone: string): unknown {
  const { hour, time_of_day } = filters;
  if (name === 'hour') return hour === undefined ? undefined : [zone, String(hour)];
  if (name === 'time_of_day') return time_of_day && [zone, ...hoursOf[time_of_day].map(String)];
  return filters[name];
}

/** The filters that are set; hours are those of the clock of `zone`. */
export function bindFilters(filters: TimelineFilters, zone: string): BoundFilters {
  const bound = filterNames
    .map((name) => ({ name, value: bind(name, filters, zone) }))
    .filter(({ value }) => value !== undefined);
  return { names: bound.map(({ name }) => name), values: bound.map(({ value }) => value) };
}

const isOfDetection = (filter: TimelineFilter) => conditions[filter].of === 'detection';

function passes(filters: readonly TimelineFilter[], firstParameter: number, item: string): string {
  return filters
    .map((filter, index) => (conditions[filter] as Condition).sql(`$${firstParameter + index}`, item))
    .join(' AND ');
}

/** What filters, whose values begin at a parameter, leave of `visits`, a query with the columns of `species_visit`. */
function filtered(visits: string, filters: readonly TimelineFilter[], firstParameter: number): string {
  if (!filters.length) return visits;
  return `
    SELECT visit.* FROM (${visits}) visit WHERE EXISTS (
      SELECT FROM detection JOIN video ON video.id = detection.video_id
      WHERE detection.visit_id = visit.id AND ${passes(filters, firstParameter, 'visit')})`;
}

/** The visits that start in the window from $1 to before $2. */
export function visitsStartingIn(filters: readonly TimelineFilter[], firstParameter: number): string {
  const starting = 'SELECT * FROM species_visit WHERE start_time >= $1 AND start_time < $2';
  return filtered(starting, filters, firstParameter);
}

/**
 * The visits that started before $1 and end at it or later. Visits of one species never overlap each other, so it
 * can only be the last of each species.
 */
export function visitsReachingInto(filters: readonly TimelineFilter[], firstParameter: number): string {
  const reaching = `
    SELECT earlier.* FROM species_total CROSS JOIN LATERAL (
      SELECT * FROM species_visit
      WHERE species_id = species_total.species_id AND start_time < $1 ORDER BY start_time DESC LIMIT 1
    ) earlier WHERE earlier.end_time >= $1`;
  return filtered(reaching, filters, firstParameter);
}

/** The visits of the window from $1 to before $2. */
export function visitsOfWindow(filters: readonly TimelineFilter[], firstParameter: number): string {
  return [visitsStartingIn, visitsReachingInto]
    .map((visits) => visits(filters, firstParameter))
    .join(' UNION ALL ');
}

/** The recordings without detections of the window from $1 to before $2; none is longer than a day. */
export function unlinkedOfWindow(filters: readonly TimelineFilter[], firstParameter: number): string {
  // What is filtered by a detection leaves out recordings without any.
  const condition = filters.some(isOfDetection) ? 'false' : passes(filters, firstParameter, 'video');
  return `
    SELECT * FROM video
    WHERE detection_count = 0 AND start_time >= $1 - interval '24 hours' AND start_time < $2 AND end_time >= $1
      ${filters.length ? `AND ${condition}` : ''}`;
}
