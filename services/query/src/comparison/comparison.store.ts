import { countedSql, kinSql } from '@birdhub/domain/species';
import { queryRow } from '@birdhub/shared/db';
import { daysBetween, dayWindow, localHourSql, readZoneClock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Comparison } from './comparison.schema.js';

/** A range of local days, inclusive, `YYYY-MM-DD`. */
export interface DayPeriod {
  readonly from: string;
  readonly to: string;
}

/** A period and the one it is compared with. */
export type PeriodPair = readonly [DayPeriod, DayPeriod];

/** SQL: whether a visit is of the species in $12 or a descendant; on the visit's column, which an index has. */
const ofOneSql = `species_id = ANY (ARRAY(${kinSql('$12')}))`;

const zeroHours = () => Array.from({ length: 24 }, () => 0);

/**
 * Parameters: numbers, first days and last days of the periods; then of each period its start and end, and the starts
 * and offsets of the zone clock; with `ofOneSql` a species. Days are read from daily rollups, hours from visits.
 */
const comparisonSql = (wantedSql: string) => `
  WITH daily AS MATERIALIZED (
    SELECT number, day - first_day AS at, species_id, sum(visits)::int AS visits
    FROM unnest($1::int[], $2::date[], $3::date[]) period (number, first_day, last_day)
      JOIN visit_day ON day BETWEEN first_day AND last_day JOIN species ON species.id = species_id AND ${wantedSql}
    GROUP BY number, at, species_id
  ), hourly AS MATERIALIZED (
    SELECT 0 AS number, species_id, ${localHourSql('start_time', '$6', '$7')} AS hour, count(*)::int AS visits
    FROM species_visit JOIN species ON species.id = species_id AND ${wantedSql}
    WHERE start_time >= $4 AND start_time < $5 GROUP BY species_id, hour
    UNION ALL
    SELECT 1, species_id, ${localHourSql('start_time', '$10', '$11')} AS hour, count(*)::int
    FROM species_visit JOIN species ON species.id = species_id AND ${wantedSql}
    WHERE start_time >= $8 AND start_time < $9 GROUP BY species_id, hour
  )
  SELECT
    (SELECT coalesce(json_agg(json_build_array(number, at, visits)), '[]') FROM (
      SELECT number, at, sum(visits)::int AS visits FROM daily GROUP BY number, at) summed) AS days,
    (SELECT coalesce(json_agg(json_build_array(number, species_id, hour, visits)), '[]') FROM hourly) AS hours,
    (SELECT coalesce(json_agg(kind ORDER BY first + second DESC, name, id), '[]') FROM (
      SELECT id, name, scientific_name, image_url, generic, coalesce(sum(visits) FILTER (WHERE number = 0), 0)::int AS first,
        coalesce(sum(visits) FILTER (WHERE number = 1), 0)::int AS second
      FROM daily JOIN species ON id = species_id GROUP BY id
    ) kind) AS species`;

interface Rows {
  readonly days: readonly (readonly [number, number, number])[];
  readonly hours: readonly (readonly [number, number, number, number])[];
  readonly species: readonly (Pick<
    Comparison['species'][number],
    'id' | 'name' | 'scientific_name' | 'image_url'
  > & { readonly generic: boolean; readonly first: number; readonly second: number })[];
}

/** Counts the visits of two periods by day, hour and species; those of one species include its descendants. */
export async function readComparison(
  pool: pg.Pool,
  pair: PeriodPair,
  zone: string,
  speciesId: number | undefined,
): Promise<Comparison> {
  const windows = pair.flatMap(({ from, to }) => {
    const window = { start: dayWindow(zone, from).start, end: dayWindow(zone, to).end };
    const clock = readZoneClock(zone, window);
    return [new Date(window.start), new Date(window.end), clock.starts, clock.offsets];
  });
  const values = [[0, 1], pair.map(({ from }) => from), pair.map(({ to }) => to), ...windows];
  const statement =
    speciesId === undefined
      ? { name: 'comparison', text: comparisonSql(countedSql()), values }
      : { name: 'comparison-of-one', text: comparisonSql(ofOneSql), values: [...values, speciesId] };
  const row = await queryRow<Rows>(pool, statement);
  return toComparison(pair, row);
}

function toComparison(pair: PeriodPair, { days, hours, species }: Rows): Comparison {
  const hoursOf = new Map(species.map(({ id }) => [id, [zeroHours(), zeroHours()] as const]));
  const allHours = [zeroHours(), zeroHours()] as const;
  for (const [number, id, hour, visits] of hours) {
    for (const pair of [hoursOf.get(id), allHours]) {
      const counts = pair?.[number];
      if (counts) counts[hour] = (counts[hour] ?? 0) + visits;
    }
  }
  const periods = pair.map(({ from, to }, number) => {
    const byDay = Array.from({ length: daysBetween(from, to) + 1 }, () => 0);
    for (const [period, at, visits] of days) if (period === number) byDay[at] = visits;
    return {
      start_date: from,
      end_date: to,
      visits: byDay.reduce((sum, visits) => sum + visits, 0),
      species: species.filter(({ generic, first, second }) => !generic && (number === 0 ? first : second) > 0)
        .length,
      days: byDay,
      hours: allHours[number === 0 ? 0 : 1],
    };
  });
  return {
    periods,
    species: species.map(({ first, second, generic: _, ...named }) => ({
      ...named,
      visits: [first, second],
      hours: [...(hoursOf.get(named.id) ?? [zeroHours(), zeroHours()])],
    })),
  };
}
