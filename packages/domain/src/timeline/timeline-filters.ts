import { literals } from '@birdhub/shared/config';
import { invalidField } from '@birdhub/shared/errors';
import {
  dayMs,
  dayWindow,
  hasLocalDay,
  isDay,
  localHourSql,
  offsetMs,
  parseQueryTime,
  readZoneClock,
  type TimeWindow,
} from '@birdhub/shared/time';
import { type Static, Type } from 'typebox';
import { mediaKindSql, mediaKinds } from '../media/recording-path.js';
import { maxRecordingSql } from '../recordings/limits.js';
import { currentSpeciesSql, kinSql } from '../species/directory.js';

/** Whether a detection was found in the video or the audio. */
export const detectionSources = ['video', 'audio'] as const;

/** The kinds of items in the timeline: visits, and recordings without a visit. */
export const timelineKinds = ['visit', 'unlinked_video'] as const;

/** Groups of species that have visits. */
const timelineGroups = ['bird', 'other_animal'] as const;

/** Parts of the day, named as by clients of the BirdLense family. */
const timesOfDay = ['morning', 'afternoon', 'evening', 'night'] as const;

/** The hours of each part of the day. */
const hoursOf: Record<(typeof timesOfDay)[number], readonly number[]> = {
  morning: [5, 6, 7, 8, 9, 10, 11],
  afternoon: [12, 13, 14, 15, 16],
  evening: [17, 18, 19, 20, 21],
  night: [22, 23, 0, 1, 2, 3, 4],
};

const text = (description: string) => Type.Optional(Type.String({ description }));

/** The query parameters of a time window; `maxLength` is its maximum length, as text for descriptions. */
export const windowParameters = (maxLength = '31 days') => ({
  start_time: text('Start of the window: Unix seconds or RFC 3339; requires `end_time`'),
  end_time: text(`End of the window (exclusive), at most ${maxLength} after the start`),
  date: text(
    'A single day as the window, `YYYY-MM-DD` in the time zone of the hub; alternative to ' +
      '`start_time` and `end_time`',
  ),
});

/** The filters of the timeline as query parameters. */
export const filterParameters = {
  camera_id: Type.Optional(
    Type.String({
      maxLength: 64,
      pattern: '^[^\\u0000]*$',
      description: 'Only visits with a recording of this camera',
    }),
  ),
  species_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Only visits of this species, without its children',
    }),
  ),
  taxon_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Only visits of this species, genus or family and its descendants',
    }),
  ),
  min_confidence: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Only visits with a detection of at least this confidence, 0 to 1',
    }),
  ),
  source: Type.Optional(
    literals(detectionSources, {
      description: 'Only visits with a detection by picture (`video`) or by sound (`audio`)',
    }),
  ),
  media_kind: Type.Optional(
    literals(mediaKinds, {
      description:
        'Only visits with a recording of this media type: `video`, `audio` for sound only, or `image` for ' +
        'the picture of a sighting',
    }),
  ),
  timeline_kind: Type.Optional(
    literals(timelineKinds, {
      description: '`visit`: only visits; `unlinked_video`: only recordings without a visit',
    }),
  ),
  group: Type.Optional(
    literals(timelineGroups, {
      description: 'Only visits of birds (`bird`) or of other animals (`other_animal`)',
    }),
  ),
  favorite: Type.Optional(
    Type.Boolean({
      description:
        'Only visits with a recording that is a favourite (`true`) or that is not a favourite (`false`)',
    }),
  ),
  favorite_only: Type.Optional(
    Type.Boolean({
      description: '`true`: only visits with a recording that is a favourite; `false`: no filter',
    }),
  ),
  hour: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 23,
      description: 'Only visits that start in this hour of the day, in the time zone of the hub',
    }),
  ),
  time_of_day: Type.Optional(
    literals(timesOfDay, {
      description:
        'Only visits that start in this part of the day, in the time zone of the hub: `morning` 5:00 to ' +
        '11:59, `afternoon` 12:00 to 16:59, `evening` 17:00 to 21:59, `night` 22:00 to 4:59',
    }),
  ),
  min_duration_sec: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 86_400 * 366,
      description: 'Minimum duration of the visit in seconds',
    }),
  ),
  detection_source: Type.Optional(literals(detectionSources, { description: 'Same as `source`' })),
  detection_provider: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: '^[^\\u0000]*$',
      description: 'Only visits with a detection by this detector',
    }),
  ),
  trigger_source: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: '^[^\\u0000]*$',
      description: 'Only visits with a recording that was started by this trigger',
    }),
  ),
};

const FiltersSchema = Type.Object(filterParameters);

/** The requested filters. */
export type TimelineFilters = Static<typeof FiltersSchema>;

/** A filter on a detection of the item, on its recording, or on the item itself. */
interface Condition {
  readonly of: 'detection' | 'recording' | 'item';
  /** Number of parameters, if it is not one. */
  readonly parameters?: number;
  /** The condition as SQL; `item` is the alias of the visit or recording. */
  sql(item: string, ...parameters: string[]): string;
}

/** Whether an item starts in certain hours; the parameters are the zone clock and the hours. */
const startsInHours: Condition = {
  of: 'item',
  parameters: 3,
  sql: (item, starts = '', offsets = '', hours = '') =>
    `${localHourSql(`${item}.start_time`, starts, offsets)} = ANY (${hours}::int[])`,
};

/** The filters of the timeline. An item passes when one of its detections, with its recording, passes all of them. */
const conditions = {
  camera_id: { of: 'recording', sql: (_, parameter) => `video.camera_id = ${parameter}` },
  species_id: {
    of: 'detection',
    sql: (_, parameter = '') => `detection.species_id = ${currentSpeciesSql(parameter)}`,
  },
  taxon_id: {
    of: 'detection',
    sql: (_, parameter = '') => `detection.species_id = ANY (ARRAY(${kinSql(parameter)}))`,
  },
  min_confidence: { of: 'detection', sql: (_, parameter) => `detection.confidence >= ${parameter}` },
  source: { of: 'detection', sql: (_, parameter) => `detection.source = ${parameter}` },
  detection_source: { of: 'detection', sql: (_, parameter) => `detection.source = ${parameter}` },
  detection_provider: {
    of: 'detection',
    sql: (_, parameter) => `detection.detection_provider = ${parameter}`,
  },
  trigger_source: { of: 'recording', sql: (_, parameter) => `video.trigger_source = ${parameter}` },
  favorite: { of: 'recording', sql: (_, parameter) => `video.favorite = ${parameter}` },
  favorite_only: { of: 'recording', sql: (_, parameter) => `(video.favorite OR NOT ${parameter}::boolean)` },
  media_kind: { of: 'recording', sql: (_, parameter) => `${mediaKindSql('video')} = ${parameter}` },
  // A recording without detections counts as the generic bird.
  group: {
    of: 'item',
    sql: (item, parameter) =>
      item === 'visit'
        ? `visit.species_id = ANY (ARRAY(SELECT id FROM species WHERE species_group = ${parameter}::text))`
        : `${parameter}::text = 'bird'`,
  },
  timeline_kind: {
    of: 'item',
    sql: (item, parameter) => `${parameter}::text = '${item === 'visit' ? 'visit' : 'unlinked_video'}'`,
  },
  hour: startsInHours,
  time_of_day: startsInHours,
  min_duration_sec: {
    of: 'item',
    sql: (item, parameter) => `${item}.end_time - ${item}.start_time >= make_interval(secs => ${parameter})`,
  },
} satisfies Record<string, Condition>;

/** The name of a filter, which is that of its query parameter. */
export type TimelineFilter = keyof typeof conditions;

const filterNames = Object.keys(conditions) as TimelineFilter[];

/** Filters, and their values for a statement: those of each filter, in the same order. */
export interface BoundFilters {
  readonly names: readonly TimelineFilter[];
  readonly values: readonly unknown[];
}

/**
 * Returns the zone clock for the starts of the items that overlap a window, and of the visits in recordings that start in
 * it. A visit at a nest may last for months.
 */
function clockOf(zone: string, { start, end }: TimeWindow): readonly unknown[] {
  const { starts, offsets } = readZoneClock(zone, { start: start - 366 * dayMs, end: end + 2 * dayMs });
  return [starts, offsets];
}

/** Returns the values of a filter; undefined when it is not set. */
function bind(
  name: TimelineFilter,
  filters: TimelineFilters,
  zone: string,
  window: TimeWindow,
): readonly unknown[] | undefined {
  const { hour, time_of_day } = filters;
  if (name === 'hour') return hour === undefined ? undefined : [...clockOf(zone, window), [hour]];
  if (name === 'time_of_day') return time_of_day && [...clockOf(zone, window), hoursOf[time_of_day]];
  const value = filters[name];
  return value === undefined ? undefined : [value];
}

/** Returns the filters that are set, for statements on the items of a window; hours are local to `zone`. */
export function bindFilters(filters: TimelineFilters, zone: string, window: TimeWindow): BoundFilters {
  const bound = filterNames.flatMap((name) => {
    const values = bind(name, filters, zone, window);
    return values ? [{ name, values }] : [];
  });
  return { names: bound.map(({ name }) => name), values: bound.flatMap(({ values }) => values) };
}

const isOfDetection = (filter: TimelineFilter) => conditions[filter].of === 'detection';

function allOf(filters: readonly TimelineFilter[], firstParameter: number, item: string): string {
  let next = firstParameter;
  const bound = filters.map((filter) => {
    const condition: Condition = conditions[filter];
    const parameters = Array.from({ length: condition.parameters ?? 1 }, (_, at) => `$${next + at}`);
    next += parameters.length;
    return condition.sql(item, ...parameters);
  });
  return bound.join(' AND ');
}

/** Applies filters to `visits`, a query with the columns of `species_visit`; their values start at `firstParameter`. */
function applyFilters(visits: string, filters: readonly TimelineFilter[], firstParameter: number): string {
  if (!filters.length) return visits;
  if (filters.every((filter) => conditions[filter].of === 'item'))
    return `SELECT visit.* FROM (${visits}) visit WHERE ${allOf(filters, firstParameter, 'visit')}`;
  return `
    SELECT visit.* FROM (${visits}) visit WHERE EXISTS (
      SELECT FROM detection JOIN video ON video.id = detection.video_id
      WHERE detection.visit_id = visit.id AND ${allOf(filters, firstParameter, 'visit')})`;
}

/** SQL: the visits that start in the window from $1 to before $2. */
export function visitsStartingIn(filters: readonly TimelineFilter[], firstParameter: number): string {
  const starting = 'SELECT * FROM species_visit WHERE start_time >= $1 AND start_time < $2';
  return applyFilters(starting, filters, firstParameter);
}

/**
 * SQL: the visits that started before $1 and end at $1 or later. Visits of one species never overlap, so this can only
 * be the last one of each species.
 */
export function visitsReachingInto(filters: readonly TimelineFilter[], firstParameter: number): string {
  const reaching = `
    SELECT earlier.* FROM species_total CROSS JOIN LATERAL (
      SELECT * FROM species_visit
      WHERE species_id = species_total.species_id AND start_time < $1 ORDER BY start_time DESC LIMIT 1
    ) earlier WHERE earlier.end_time >= $1`;
  return applyFilters(reaching, filters, firstParameter);
}

/** SQL: the visits that overlap the window from $1 to before $2. */
export function visitsOfWindow(filters: readonly TimelineFilter[], firstParameter: number): string {
  return [visitsStartingIn, visitsReachingInto]
    .map((visits) => visits(filters, firstParameter))
    .join(' UNION ALL ');
}

/** SQL: the recordings without detections that overlap the window from $1 to before $2. */
export function unlinkedOfWindow(filters: readonly TimelineFilter[], firstParameter: number): string {
  // Filters on detections exclude recordings without detections.
  const condition = filters.some(isOfDetection) ? 'false' : allOf(filters, firstParameter, 'video');
  return `
    SELECT * FROM video
    WHERE detection_count = 0 AND start_time >= $1 - ${maxRecordingSql} AND start_time < $2 AND end_time >= $1
      ${filters.length ? `AND ${condition}` : ''}`;
}

/** A requested window. */
export interface RequestedWindow {
  readonly start_time?: string | undefined;
  readonly end_time?: string | undefined;
  readonly date?: string | undefined;
}

function readTime(name: string, text: string, zone: string): number {
  const instant = parseQueryTime(text);
  if (instant === undefined) throw invalidField(name, 'must be unix seconds or an RFC 3339 date-time');
  if (!hasLocalDay(zone, instant))
    throw invalidField(name, "must be in the years 1 to 9999 of the hub's zone");
  return instant;
}

/** Returns whether a window is at most `maxDays` long, in local days or in multiples of 24 hours. */
function isShortEnough({ start, end }: TimeWindow, zone: string, maxDays: number): boolean {
  const localMs = end + offsetMs(zone, end) - (start + offsetMs(zone, start));
  return Math.min(end - start, localMs) <= maxDays * dayMs;
}

/**
 * Returns the window between two times, at most `maxDays` long, or of a day in the hub's zone.
 * @throws HubError invalid_request that names the parameter
 */
export function readWindow(
  { start_time, end_time, date }: RequestedWindow,
  zone: string,
  maxDays = 31,
): TimeWindow {
  if (date !== undefined) {
    if (start_time !== undefined || end_time !== undefined)
      throw invalidField('date', 'must not be combined with start_time or end_time');
    if (!isDay(date)) throw invalidField('date', 'must be a day, YYYY-MM-DD');
    return dayWindow(zone, date);
  }
  if (start_time === undefined) throw invalidField('start_time', 'is required with end_time, or else date');
  if (end_time === undefined) throw invalidField('end_time', 'is required with start_time');
  const start = readTime('start_time', start_time, zone);
  const end = readTime('end_time', end_time, zone);
  if (end <= start) throw invalidField('end_time', 'must be after start_time');
  const window = { start, end };
  if (!isShortEnough(window, zone, maxDays))
    throw invalidField('end_time', `must be at most ${maxDays} days after start_time`);
  return window;
}
