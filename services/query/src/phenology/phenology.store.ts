import { countedSql } from '@birdhub/domain/species';
import { dayNumber, dayOfNumber } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Phenology, SpeciesDays } from './phenology.schema.js';
import { type DaySpan, type DayVisits, findPeak, findStays, minAbsentDays } from './stays.js';

const weeksOfYear = 53;

/** Parameters: first and last day to read, first day of the year. Days are counted from 1970-01-01. */
const phenologySql = `
  WITH daily AS MATERIALIZED (
    SELECT species_id, json_agg(json_build_array(day - '1970-01-01'::date, visits) ORDER BY day) AS days
    FROM visit_day WHERE day BETWEEN $1::date AND $2::date GROUP BY species_id
  )
  SELECT id, name, scientific_name, image_url, days,
    NOT EXISTS (SELECT FROM visit_month WHERE species_id = id AND year BETWEEN 1 AND extract(year FROM $3::date) - 1
      AND visits > 0) AS "isFirstEver",
    (SELECT min(day) - '1970-01-01'::date FROM visit_day) AS "watchedFrom",
    (SELECT max(day) - '1970-01-01'::date FROM visit_day) AS "watchedTo"
  FROM daily JOIN species ON id = species_id WHERE ${countedSql()} ORDER BY name, id`;

interface Row extends Pick<Phenology['species'][number], 'id' | 'name' | 'scientific_name' | 'image_url'> {
  readonly days: readonly (readonly [day: number, visits: number])[];
  readonly isFirstEver: boolean;
  readonly watchedFrom: number;
  readonly watchedTo: number;
}

const clampToCalendar = (day: number) =>
  dayOfNumber(Math.min(Math.max(day, dayNumber('0001-01-01')), dayNumber('9999-12-31')));

/** Reads arrivals and departures of each species in a year, from the daily rollups. */
export async function readPhenology(pool: pg.Pool, year: number): Promise<Phenology> {
  const text = String(year).padStart(4, '0');
  const span = { first: dayNumber(`${text}-01-01`), last: dayNumber(`${text}-12-31`) };
  const { rows } = await pool.query<Row>({
    name: 'phenology',
    text: phenologySql,
    values: [
      clampToCalendar(span.first - minAbsentDays),
      clampToCalendar(span.last + minAbsentDays),
      dayOfNumber(span.first),
    ],
  });
  const species = rows
    .map((row) => toSpecies(row, span))
    .filter((one) => one !== undefined)
    .sort((one, other) =>
      one.first_date < other.first_date ? -1 : one.first_date > other.first_date ? 1 : 0,
    );
  return { year, species, accumulation: accumulate(species.map(({ first_date }) => first_date)) };
}

function toSpecies(row: Row, year: DaySpan): Phenology['species'][number] | undefined {
  const { id, name, scientific_name, image_url, isFirstEver, watchedFrom, watchedTo } = row;
  const all: DayVisits[] = row.days.map(([day, visits]) => ({ day, visits }));
  const ofYear = all.filter(({ day }) => day >= year.first && day <= year.last);
  const [first, last] = [ofYear.at(0), ofYear.at(-1)];
  if (!first || !last) return undefined;
  const weeks = Array.from({ length: weeksOfYear }, () => 0);
  for (const { day, visits } of ofYear) {
    const week = Math.floor((day - year.first) / 7);
    weeks[week] = (weeks[week] ?? 0) + visits;
  }
  const watched = { first: watchedFrom, last: watchedTo };
  const stays = findStays(
    all.map(({ day }) => day),
    year,
    watched,
  );
  const peak = findPeak(ofYear, year);
  return {
    id,
    name,
    scientific_name,
    image_url,
    visits: ofYear.reduce((sum, { visits }) => sum + visits, 0),
    days: ofYear.length,
    first_date: dayOfNumber(first.day),
    last_date: dayOfNumber(last.day),
    is_first_ever: isFirstEver,
    stays: stays.map((stay) => ({
      start_date: dayOfNumber(stay.first),
      end_date: dayOfNumber(stay.last),
      arrives: stay.arrives,
      departs: stay.departs,
    })),
    peak: peak
      ? { start_date: dayOfNumber(peak.first), end_date: dayOfNumber(peak.last), visits: peak.visits }
      : null,
    weeks,
  };
}

/** Returns the cumulative number of species; the first days must be sorted. */
function accumulate(firstDates: readonly string[]): Phenology['accumulation'] {
  const steps = new Map<string, number>();
  for (const [at, date] of firstDates.entries()) steps.set(date, at + 1);
  return [...steps].map(([date, species]) => ({ date, species }));
}

/** Parameters: first and last day. */
const speciesDaysSql = `
  WITH daily AS MATERIALIZED (
    SELECT species_id, sum(visits)::int AS visits, json_agg(json_build_array(day - $1::date, visits)) AS days
    FROM visit_day WHERE day BETWEEN $1::date AND $2::date AND visits > 0 GROUP BY species_id
  )
  SELECT id, name, scientific_name, image_url, daily.visits, days
  FROM daily JOIN species ON id = species_id WHERE ${countedSql()} ORDER BY daily.visits DESC, name, id`;

type SpeciesOfDays = SpeciesDays['species'][number];

interface DaysRow extends Omit<SpeciesOfDays, 'days'> {
  readonly days: readonly (readonly [at: number, visits: number])[];
}

/** Reads the visits of each species per day, from the daily rollups. */
export async function readSpeciesDays(pool: pg.Pool, from: string, to: string): Promise<SpeciesDays> {
  const { rows } = await pool.query<DaysRow>({
    name: 'species-days',
    text: speciesDaysSql,
    values: [from, to],
  });
  const length = dayNumber(to) - dayNumber(from) + 1;
  const species = rows.map((row): SpeciesOfDays => {
    const days = Array.from({ length }, () => 0);
    for (const [at, visits] of row.days) days[at] = visits;
    return { ...row, days };
  });
  return { start_date: from, end_date: to, species };
}
