import { countedSql, currentSpeciesSql } from '@birdhub/domain/species';
import { type BoundFilters, type TimelineFilter, visitsStartingIn } from '@birdhub/domain/timeline';
import {
  dayWindowAt,
  formatInstant,
  localDay,
  nextDay,
  previousDay,
  startOfDay,
  type TimeWindow,
} from '@birdhub/shared/time';
import type pg from 'pg';
import { cutPeriod, type YearMonth } from '../migration-calendar/migration-calendar.store.js';
import type { BucketStep, TimelineBucket } from './timeline-buckets.schema.js';

/** A query for buckets. */
export interface BucketSearch {
  readonly window: TimeWindow;
  readonly zone: string;
  readonly by: BucketStep;
  readonly filters: BoundFilters;
}

/** A window split into the units of the rollups, and the partial days at its ends. */
export interface WindowPieces {
  readonly months: { readonly first: YearMonth; readonly last: YearMonth } | undefined;
  /** Ranges of whole days, inclusive. */
  readonly days: readonly { readonly from: string; readonly to: string }[];
  readonly parts: readonly (TimeWindow & { readonly day: string })[];
}

/** Splits a window into whole months (only by month), whole days and at most two partial days of a zone. */
export function cutWindow({ start, end }: TimeWindow, zone: string, by: BucketStep): WindowPieces {
  const first = dayWindowAt(zone, start);
  const last = dayWindowAt(zone, end - 1);
  const isWholeFirst = start === first.start;
  const isWholeLast = end === last.end;
  if (first.day === last.day && !(isWholeFirst && isWholeLast))
    return { months: undefined, days: [], parts: [{ day: first.day, start, end }] };
  const parts = [
    ...(isWholeFirst ? [] : [{ day: first.day, start, end: first.end }]),
    ...(isWholeLast ? [] : [{ day: last.day, start: last.start, end }]),
  ];
  const from = isWholeFirst ? first.day : nextDay(first.day);
  const to = isWholeLast ? last.day : previousDay(last.day);
  if (from > to) return { months: undefined, days: [], parts };
  if (by === 'day') return { months: undefined, days: [{ from, to }], parts };
  const { months, edges } = cutPeriod({ from, to });
  return { months, days: edges, parts };
}

/** Filters that can be applied to rollups; all others require reading each visit. */
const rollupFilters: ReadonlySet<TimelineFilter> = new Set<TimelineFilter>([
  'species_id',
  'group',
  'timeline_kind',
]);

const keyOf = (by: BucketStep, day: string) => (by === 'day' ? day : `date_trunc('month', ${day})::date`);

const summedSql = (counted: string) => `
  WITH counted (key, species_id, visits) AS (${counted})
  SELECT to_char(key, 'YYYY-MM-DD') AS key, sum(visits)::int AS visits,
    (count(DISTINCT species_id) FILTER (WHERE ${countedSql()}))::int AS species
  FROM counted JOIN species ON species.id = species_id GROUP BY key ORDER BY key`;

/**
 * Parameters: window start and end, first and last whole month as year and month (or nulls), first and last days of the
 * whole days, day, start and end of the partial days, filters; with a species filter also days and starts of all buckets.
 */
export function rollupBucketsSql(by: BucketStep, filters: readonly TimelineFilter[]): string {
  const parameterOf = (filter: TimelineFilter) => {
    const at = filters.indexOf(filter);
    return at === -1 ? undefined : `$${12 + at}`;
  };
  const [bucketDays, starts] = [0, 1].map((at) => `$${12 + filters.length + at}`);
  const [kind, group, species] = (['timeline_kind', 'group', 'species_id'] as const).map(parameterOf);
  const isWanted = [
    ...(kind ? [`${kind}::text = 'visit'`] : []),
    ...(group
      ? [`species_id = ANY (ARRAY(SELECT id FROM species WHERE species_group = ${group}::text))`]
      : []),
  ];
  const conditions = (of: string) =>
    [...isWanted, ...(species ? [`${of}species_id = ${currentSpeciesSql(species)}`] : [])]
      .map((condition) => `AND ${condition}`)
      .join(' ');
  // Audio-only runs of a species that belong to visits of its children.
  const attached = species
    ? `UNION ALL
    SELECT key, species_id, count(*) FROM (
      SELECT DISTINCT visit.id, visit.species_id, (${bucketDays}::date[])[width_bucket(visit.start_time, ${starts}::timestamptz[])] AS key
      FROM attached_run run JOIN species_visit visit ON visit.id = run.visit_id
      WHERE run.species_id = ${currentSpeciesSql(species)} AND visit.species_id <> run.species_id
        AND visit.start_time >= $1 AND visit.start_time < $2
    ) visit WHERE true ${isWanted.map((condition) => `AND ${condition}`).join(' ')} GROUP BY key, species_id`
    : '';
  return summedSql(`
    SELECT make_date(year, month, 1), species_id, visits FROM visit_month
    WHERE (year, month) >= ($3::smallint, $4::smallint) AND (year, month) <= ($5::smallint, $6::smallint)
      ${conditions('')}
    UNION ALL
    SELECT ${keyOf(by, 'day')}, species_id, visits
    FROM unnest($7::date[], $8::date[]) run (first_day, last_day) JOIN visit_day ON day BETWEEN first_day AND last_day
    WHERE true ${conditions('')}
    UNION ALL
    SELECT ${keyOf(by, 'day')}, species_id, count(*)
    FROM unnest($9::date[], $10::timestamptz[], $11::timestamptz[]) part (day, first_instant, end_instant)
      JOIN species_visit ON start_time >= first_instant AND start_time < end_instant
    WHERE start_time >= $1 AND start_time < $2 ${conditions('')} GROUP BY day, species_id
    ${attached}`);
}

/** Parameters: window start and end, days and starts of all buckets, filters. */
function scannedBucketsSql(filters: readonly TimelineFilter[]): string {
  return summedSql(`
    SELECT ($3::date[])[width_bucket(start_time, $4::timestamptz[])], species_id, count(*)
    FROM (${visitsStartingIn(filters, 5)}) visit GROUP BY 1, 2`);
}

/** Returns the first days of the buckets that overlap a window, and their starts. */
function bucketStarts({ start, end }: TimeWindow, zone: string, by: BucketStep) {
  const days: string[] = [];
  const last = localDay(zone, end - 1);
  for (let day = localDay(zone, start); day <= last; day = nextDay(day)) {
    const first = by === 'day' ? day : `${day.slice(0, 7)}-01`;
    if (days.at(-1) !== first) days.push(first);
    if (day === '9999-12-31') break;
  }
  return { days, starts: days.map((day) => new Date(startOfDay(zone, day))) };
}

interface Row {
  readonly key: string;
  readonly visits: number;
  readonly species: number;
}

/** Counts the visits that start in each day or month of a window; empty buckets are omitted. */
export async function readBuckets(pool: pg.Pool, search: BucketSearch): Promise<TimelineBucket[]> {
  const { rows } = await pool.query<Row>(toStatement(search));
  return rows.map(({ key, visits, species }) => ({
    start: formatInstant(startOfDay(search.zone, key)),
    visits,
    species,
  }));
}

function toStatement({ window, zone, by, filters }: BucketSearch) {
  const { names, values } = filters;
  const bounds = [new Date(window.start), new Date(window.end)];
  if (!names.every((name) => rollupFilters.has(name))) {
    const { days, starts } = bucketStarts(window, zone, by);
    return { text: scannedBucketsSql(names), values: [...bounds, days, starts, ...values] };
  }
  const { months, days, parts } = cutWindow(window, zone, by);
  const { first = [null, null], last = [null, null] } = months ?? {};
  const all = names.includes('species_id') ? Object.values(bucketStarts(window, zone, by)) : [];
  return {
    text: rollupBucketsSql(by, names),
    values: [
      ...bounds,
      ...first,
      ...last,
      days.map(({ from }) => from),
      days.map(({ to }) => to),
      parts.map(({ day }) => day),
      parts.map((part) => new Date(part.start)),
      parts.map((part) => new Date(part.end)),
      ...values,
      ...all,
    ],
  };
}
