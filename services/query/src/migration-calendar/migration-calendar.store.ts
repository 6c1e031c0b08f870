import type pg from 'pg';
import type { PeriodPieces } from './calendar-period.js';
import { type CalendarQuery, monthLabels } from './migration-calendar.schema.js';

/** What is counted. */
export interface CalendarSearch extends Pick<CalendarQuery, 'catalog' | 'evidence' | 'metric'> {
  readonly pieces: PeriodPieces;
}

/** A visit that was only heard is one bird. */
const counts: Record<CalendarQuery['evidence'], Record<CalendarQuery['metric'], string>> = {
  all: { visits: 'visits', individuals: 'individuals' },
  video: { visits: 'video_visits', individuals: 'individuals - (visits - video_visits)' },
};

const wholeCatalogue = `total > 0 OR rank IN ('species', 'form') AND merged_into IS NULL`;

/** While no processor has said which species it looks for, all may be looked for. */
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

/** Parameters: first and last whole month as year and month (or nulls), first and last days of the edges. */
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
      FROM species LEFT JOIN summed ON species_id = id WHERE NOT generic AND (${listed[catalog]})
    ) item),
    'month_labels', '${JSON.stringify(monthLabels)}'::json, 'metric', '${metric}')::text AS body`;

/** The JSON of the calendar, from rollups alone. */
export async function readCalendar(pool: pg.Pool, search: CalendarSearch): Promise<string> {
  const { catalog, evidence, metric, pieces } = search;
  const { first = [null, null], last = [null, null] } = pieces.months ?? {};
  const { rows } = await pool.query<{ body: string }>({
    name: `migration-calendar-${catalog}-${evidence}-${metric}`,
    text: calendarSql(search),
    values: [...first, ...last, pieces.edges.map((edge) => edge.from), pieces.edges.map((edge) => edge.to)],
  });
  const [row] = rows;
  if (!row) throw new Error('the calendar statement answered no row');
  return row.body;
}
