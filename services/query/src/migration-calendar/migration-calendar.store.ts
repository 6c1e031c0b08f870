import { countedSql } from '@birdhub/domain/species';
import { queryRow } from '@birdhub/shared/db';
import { invalidField } from '@birdhub/shared/errors';
import { isDay, nextDay, previousDay } from '@birdhub/shared/time';
import type pg from 'pg';
import { type CalendarQuery, monthLabels } from './migration-calendar.schema.js';

/** A query of the calendar. */
export interface CalendarSearch extends Pick<CalendarQuery, 'catalog' | 'evidence' | 'metric'> {
  readonly pieces: PeriodPieces;
}

/** An audio-only visit counts as one bird. */
const counts: Record<CalendarQuery['evidence'], Record<CalendarQuery['metric'], string>> = {
  all: { visits: 'visits', individuals: 'individuals' },
  video: { visits: 'video_visits', individuals: 'individuals - (visits - video_visits)' },
};

const wholeCatalogue = `total > 0 OR rank IN ('species', 'form') AND merged_into IS NULL`;

/** Until a processor has set its active species, all count as active. */
const listed: Record<CalendarQuery['catalog'], string> = {
  active: 'total > 0 AND (active OR NOT EXISTS (SELECT FROM species WHERE active))',
  observed: 'total > 0',
  dataset: 'active AND merged_into IS NULL',
  full: wholeCatalogue,
  all: wholeCatalogue,
  full_eu: wholeCatalogue,
};

const months = monthLabels.map((_, index) => index + 1);
const noCounts = JSON.stringify(months.map(() => 0));

/**
 * SQL of the calendar. Parameters: first and last whole month as year and month (or nulls), first and last days of the
 * edges.
 */
export const calendarSql = ({
  catalog,
  evidence,
  metric,
}: Pick<CalendarSearch, 'catalog' | 'evidence' | 'metric'>): string => `
  WITH counted AS (
    SELECT species_id, month, ${counts[evidence][metric]} AS count FROM visit_month
    WHERE (year, month) >= ($1::smallint, $2::smallint) AND (year, month) <= ($3::smallint, $4::smallint)
    UNION ALL
    SELECT species_id, extract(month FROM day)::smallint, ${counts[evidence][metric]}
    FROM unnest($5::date[], $6::date[]) edge (first_day, last_day) JOIN visit_day ON day BETWEEN first_day AND last_day
  ), summed AS (
    SELECT species_id, sum(count) AS total,
      json_build_array(${months.map((month) => `coalesce(sum(count) FILTER (WHERE month = ${month}), 0)`)}) AS monthly_counts
    FROM counted GROUP BY species_id
  )
  SELECT json_build_object(
    'species', (SELECT coalesce(json_agg(item ORDER BY total DESC, name, id), '[]') FROM (
      SELECT id, name, image_url, coalesce(monthly_counts, '${noCounts}') AS monthly_counts, coalesce(total, 0) AS total
      FROM species LEFT JOIN summed ON species_id = id WHERE ${countedSql()} AND (${listed[catalog]})
    ) item),
    'month_labels', '${JSON.stringify(monthLabels)}'::json, 'metric', '${metric}')::text AS body`;

/** Returns the JSON of the calendar, from rollups only. */
export async function readCalendar(pool: pg.Pool, search: CalendarSearch): Promise<string> {
  const { catalog, evidence, metric, pieces } = search;
  const { first = [null, null], last = [null, null] } = pieces.months ?? {};
  const row = await queryRow<{ body: string }>(pool, {
    name: `migration-calendar-${catalog}-${evidence}-${metric}`,
    text: calendarSql(search),
    values: [...first, ...last, pieces.edges.map((edge) => edge.from), pieces.edges.map((edge) => edge.to)],
  });
  return row.body;
}

/** The first and last day, inclusive, `YYYY-MM-DD`; open when undefined. */
export interface Period {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** A period split into units of the rollups. */
export interface PeriodPieces {
  /** The first and last whole month, as year and month; year 0 covers all years. */
  readonly months: { readonly first: YearMonth; readonly last: YearMonth } | undefined;
  /** Ranges of days outside the whole months. */
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

/** A year and a month, 1 to 12. */
export type YearMonth = readonly [number, number];

type Bound = Extract<keyof CalendarQuery, `${string}_${'year' | 'date'}`>;

const yearText = (year: number) => String(year).padStart(4, '0');

function readDay(field: Bound, day: string | undefined): string | undefined {
  if (day !== undefined && !isDay(day)) throw invalidField(field, 'must be a day, YYYY-MM-DD');
  return day;
}

/** Returns the intersection of the requested years and dates. @throws HubError invalid_request naming the parameter */
export function readPeriod(query: Pick<CalendarQuery, Bound>): Period {
  const startDate = readDay('start_date', query.start_date);
  const endDate = readDay('end_date', query.end_date);
  const startYear = query.start_year === undefined ? undefined : `${yearText(query.start_year)}-01-01`;
  const endYear = query.end_year === undefined ? undefined : `${yearText(query.end_year)}-12-31`;
  const from = [startYear, startDate]
    .filter((day) => day !== undefined)
    .sort()
    .at(-1);
  const to = [endYear, endDate]
    .filter((day) => day !== undefined)
    .sort()
    .at(0);
  if (from !== undefined && to !== undefined && from > to)
    throw invalidField(to === endYear ? 'end_year' : 'end_date', 'must not be before the start');
  return { from, to };
}

/** Number of a month, counted from January of year 0. */
const monthNumber = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
const toYearMonth = (number: number): YearMonth => [Math.floor(number / 12), (number % 12) + 1];
const firstDayOf = (number: number) => {
  const [year, month] = toYearMonth(number);
  return `${yearText(year)}-${String(month).padStart(2, '0')}-01`;
};
const isLastOfMonth = (day: string) => day.endsWith('-12-31') || nextDay(day).endsWith('-01');

/** Splits a period into whole months and the days before and after them. */
export function cutPeriod({ from = '0001-01-01', to = '9999-12-31' }: Period): PeriodPieces {
  if (from === '0001-01-01' && to === '9999-12-31')
    return { months: { first: [0, 1], last: [0, 12] }, edges: [] };
  const first = monthNumber(from) + (from.endsWith('-01') ? 0 : 1);
  const last = monthNumber(to) - (isLastOfMonth(to) ? 0 : 1);
  if (first > last) return { months: undefined, edges: [{ from, to }] };
  const edges = [];
  if (from < firstDayOf(first)) edges.push({ from, to: previousDay(firstDayOf(first)) });
  if (monthNumber(to) > last) edges.push({ from: firstDayOf(last + 1), to });
  return { months: { first: toYearMonth(first), last: toYearMonth(last) }, edges };
}
