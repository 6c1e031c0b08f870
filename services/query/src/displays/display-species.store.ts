import { type HubLanguage, speciesNameIn } from '@birdhub/domain/language';
import { dayMs, localHourSql, msSql, readZoneClock, type TimeWindow } from '@birdhub/shared/time';
import type pg from 'pg';
import {
  type DaySpan,
  type DisplayMatch,
  matchValues,
  shownSpeciesSql,
  windowOfDays,
} from './display-visits.store.js';
import { toStationTime } from './station-time.js';

interface SpeciesRow {
  readonly scientificName: string;
  readonly name: string;
  readonly code: string | null;
  readonly hasPicture: boolean;
  readonly visits: number;
  readonly first: number;
  readonly last: number;
  readonly highest: number;
}

/** Options of a list of species. */
interface SpeciesSearch {
  readonly zone: string;
  /** The language of common names. */
  readonly language: HubLanguage;
  readonly limit: number | undefined;
  /** The path prefix of the hub. */
  readonly prefix: string;
}

/** Returns the path of the picture of a species. */
const pictureOf = (prefix: string, { scientificName, hasPicture }: SpeciesRow) =>
  hasPicture && {
    thumbnail_url: `${prefix}/api/v2/media/species-image?name=${encodeURIComponent(scientificName)}`,
  };

const namesOf = ({ scientificName, name, code }: SpeciesRow, language: HubLanguage) => ({
  scientific_name: scientificName,
  common_name: speciesNameIn(language, name),
  ...(code !== null && { species_code: code }),
});

const rounded = (confidence: number) => Math.round(confidence * 10_000) / 10_000;

/** Number of latest visits whose confidence is read, as a species may have millions. */
const latestVisits = 20;

const summarySql = `
  SELECT scientific_name AS "scientificName", name, ebird_code AS code, image_url IS NOT NULL AS "hasPicture", visits,
    ${msSql('first.start_time')} AS first,
    ${msSql('last.start_time')} AS last, highest, mean
  FROM (
    SELECT species_id, sum(visits)::integer AS visits FROM visit_day
    WHERE day BETWEEN $1::date AND $2::date AND species_id IN (${shownSpeciesSql('NULL', 'NULL')}) GROUP BY 1
  ) counted JOIN species ON species.id = species_id
    CROSS JOIN LATERAL (
      SELECT start_time FROM species_visit visit
      WHERE visit.species_id = counted.species_id AND start_time >= $3 AND start_time < $4 ORDER BY start_time LIMIT 1
    ) first
    CROSS JOIN LATERAL (
      SELECT max(start_time) AS start_time, max(highest) AS highest, avg(highest) AS mean FROM (
        SELECT start_time, (SELECT max(confidence) FROM detection WHERE visit_id = visit.id) AS highest
        FROM species_visit visit
        WHERE visit.species_id = counted.species_id AND start_time >= $3 AND start_time < $4
        ORDER BY start_time DESC LIMIT ${latestVisits}
      ) latest
    ) last
  ORDER BY visits DESC, name, species.id LIMIT $5`;

/** Returns the species of a span of days, most visits first. */
export async function readSpeciesSummary(
  pool: pg.Pool,
  { span, zone, language, limit, prefix }: SpeciesSearch & { readonly span: DaySpan },
) {
  const { start, end } = windowOfDays(zone, span);
  const values = [span.first, span.last, new Date(start), new Date(end), limit ?? null];
  const { rows } = await pool.query<SpeciesRow & { readonly mean: number }>(summarySql, values);
  const at = (instant: number) => toStationTime(zone, instant).timestamp;
  return rows.map((row) => ({
    ...namesOf(row, language),
    count: row.visits,
    first_heard: at(row.first),
    last_heard: at(row.last),
    avg_confidence: rounded(row.mean),
    max_confidence: rounded(row.highest),
    ...pictureOf(prefix, row),
  }));
}

const daySql = `
  WITH visit AS MATERIALIZED (
    SELECT species_id, start_time, highest, ${localHourSql('start_time', '$3', '$4')} AS hour
    FROM species_visit CROSS JOIN LATERAL (
      SELECT max(confidence) AS highest FROM detection WHERE visit_id = species_visit.id OFFSET 0
    ) found
    WHERE start_time >= $1 AND start_time < $2 AND species_id IN (${shownSpeciesSql('NULL', 'NULL')})
      AND highest >= $5
  ), hourly AS MATERIALIZED (
    SELECT species_id, hour, count(*)::integer AS visits FROM visit GROUP BY species_id, hour
  )
  SELECT scientific_name AS "scientificName", name, ebird_code AS code, image_url IS NOT NULL AS "hasPicture",
    day.visits, highest, ${msSql('day.first')} AS first,
    ${msSql('day.last')} AS last,
    (SELECT json_agg(coalesce(hourly.visits, 0) ORDER BY every.hour) FROM generate_series(0, 23) every (hour)
      LEFT JOIN hourly ON hourly.hour = every.hour AND hourly.species_id = day.species_id) AS hours,
    (SELECT ${msSql('min(start_time)')} FROM species_visit ever
      WHERE ever.species_id = day.species_id) AS ever
  FROM (
    SELECT species_id, count(*)::integer AS visits, max(highest) AS highest, min(start_time) AS first,
      max(start_time) AS last
    FROM visit GROUP BY species_id
  ) day JOIN species ON species.id = species_id
  ORDER BY day.visits DESC, day.last DESC, species.id LIMIT $6`;

const highConfidence = 0.8;
const newDays = 14;

interface DayRow extends SpeciesRow {
  readonly hours: number[];
  /** Start of the first visit ever, in ms since the epoch. */
  readonly ever: number;
}

/** Returns the species of a day, most visits first. */
export async function readSpeciesOfDay(
  pool: pg.Pool,
  search: SpeciesSearch & { readonly day: string; readonly minConfidence: number },
) {
  const { day, zone, language, minConfidence, limit, prefix } = search;
  const window = windowOfDays(zone, { first: day, last: day });
  const clock = readZoneClock(zone, window);
  const times = [new Date(window.start), new Date(window.end), clock.starts, clock.offsets];
  const { rows } = await pool.query<DayRow>(daySql, [...times, minConfidence, limit ?? null]);
  return rows.map((row) => {
    const days = Math.max(0, Math.ceil((window.end - row.ever) / dayMs) - 1);
    return {
      ...namesOf(row, language),
      count: row.visits,
      hourly_counts: row.hours,
      high_confidence: row.highest >= highConfidence,
      max_confidence: rounded(row.highest),
      first_heard: toStationTime(zone, row.first).time,
      latest_heard: toStationTime(zone, row.last).time,
      ...pictureOf(prefix, row),
      is_new_species: days < newDays,
      days_since_first_seen: days,
    };
  });
}

const hoursSql = `
  SELECT ${localHourSql('start_time', '$3', '$4')} AS hour, count(*)::integer AS count FROM species_visit
  WHERE start_time >= $1 AND start_time < $2 AND species_id IN (${shownSpeciesSql('$5', '$6')}) GROUP BY 1`;

/** Counts the visits that started in each hour of the day. */
export async function readHours(pool: pg.Pool, zone: string, window: TimeWindow, match: DisplayMatch) {
  const clock = readZoneClock(zone, window);
  const times = [new Date(window.start), new Date(window.end), clock.starts, clock.offsets];
  const { rows } = await pool.query<{ hour: number; count: number }>(hoursSql, [
    ...times,
    ...matchValues(match),
  ]);
  const counts = new Map(rows.map(({ hour, count }) => [hour, count]));
  return Array.from({ length: 24 }, (_, hour) => ({ hour, count: counts.get(hour) ?? 0 }));
}

const namesSql = `
  SELECT DISTINCT ON (scientific_name) scientific_name AS "scientificName", name FROM species
  WHERE id IN (${shownSpeciesSql('NULL', 'NULL')}) ORDER BY scientific_name, id`;

/** Returns the scientific and common names of all birds, by scientific name. */
export async function readSpeciesNames(pool: pg.Pool, language: HubLanguage) {
  const { rows } = await pool.query<{ scientificName: string; name: string }>(namesSql);
  return rows.map(({ scientificName, name }) => ({
    scientificName,
    commonName: speciesNameIn(language, name),
  }));
}

const imageSql = `
  SELECT image_url AS image FROM species
  WHERE id IN (${shownSpeciesSql('$1', 'NULL')}) AND image_url IS NOT NULL ORDER BY id LIMIT 1`;

/** Returns the stored picture of a species; undefined when there is none. */
export async function findSpeciesImage(pool: pg.Pool, name: string): Promise<string | undefined> {
  const statement = { name: 'display-image', text: imageSql, values: [[name.toLowerCase()]] };
  const { rows } = await pool.query<{ image: string }>(statement);
  return rows[0]?.image;
}
