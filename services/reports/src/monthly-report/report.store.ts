import { countedSql } from '@birdhub/domain/species';
import { queryRow } from '@birdhub/shared/db';
import { localHourSql, msSql, readZoneClock, type TimeWindow } from '@birdhub/shared/time';
import type pg from 'pg';
import type { ReportPeriod } from './report-period.js';

/** The facts of a period; generic species are counted separately, other animals not at all. */
export interface ReportFacts {
  readonly genericVisits: number;
  readonly recordings: number;
  /** Most visits first. */
  readonly species: readonly SpeciesFacts[];
  readonly hours: readonly HourFacts[];
  readonly temperatures: readonly TemperatureFacts[];
}

/** The visits of a species in a period; instants in ms since the epoch. */
export interface SpeciesFacts {
  readonly id: number;
  readonly name: string;
  readonly scientificName: string | null;
  readonly visits: number;
  /** Sum of the maximum numbers of simultaneous birds of all visits. */
  readonly individuals: number;
  /** Maximum number of simultaneous birds in any visit. */
  readonly maxSimultaneous: number;
  readonly detections: number;
  /** Number of calendar days with a visit. */
  readonly days: number;
  readonly durationMs: number;
  readonly firstAt: number;
  /** Start of the last visit. */
  readonly lastAt: number;
  /** Whether its first visit ever is in the period. */
  readonly isNew: boolean;
}

/** Visits of a local hour; days are counted from the start of the period. */
export interface HourFacts {
  readonly day: number;
  readonly hour: number;
  readonly visits: number;
}

/** Temperatures of a day in °C. */
export interface TemperatureFacts {
  readonly day: number;
  readonly min: number;
  readonly mean: number;
  readonly max: number;
}

/** SQL: the day of an instant, counted from the start of the period. */
const dayOf = (instant: string) => `width_bucket(${instant}, $3::timestamptz[]) - 1`;

/**
 * Visits belong to the period by their start. Parameters: start and end of the period, the starts of its days, starts
 * and offsets of the zone clock.
 */
const factsSql = `
  WITH visit AS MATERIALIZED (
    SELECT species_id, generic, ${countedSql()} AS is_counted, start_time, end_time, max_simultaneous, detection_count,
      ${dayOf('start_time')} AS day, ${localHourSql('start_time', '$4', '$5')} AS hour
    FROM species_visit JOIN species ON species.id = species_id
    WHERE start_time >= $1 AND start_time < $2
  ), counted AS (
    SELECT species_id, count(*) AS visits, sum(max_simultaneous) AS individuals,
      max(max_simultaneous) AS "maxSimultaneous", sum(detection_count) AS detections, count(DISTINCT day) AS days,
      ${msSql('sum(end_time - start_time)')} AS duration,
      min(start_time) AS first, max(start_time) AS last
    FROM visit WHERE is_counted GROUP BY species_id
  ), line AS (
    SELECT id, name, scientific_name AS "scientificName", visits, individuals, "maxSimultaneous", detections, days,
      duration AS "durationMs", ${msSql('first')} AS "firstAt",
      ${msSql('last')} AS "lastAt",
      NOT EXISTS (SELECT FROM species_visit WHERE species_id = species.id AND start_time < $1) AS "isNew"
    FROM counted JOIN species ON id = species_id ORDER BY visits DESC, name COLLATE "C", id
  ), hourly AS (
    SELECT day, hour, count(*) AS visits FROM visit WHERE is_counted GROUP BY day, hour ORDER BY day, hour
  ), temperature AS (
    SELECT ${dayOf('fetched_at')} AS day, min(temp) AS min, round(avg(temp)::numeric, 2) AS mean, max(temp) AS max
    FROM weather_snapshot WHERE fetched_at >= $1 AND fetched_at < $2 AND temp IS NOT NULL GROUP BY 1 ORDER BY 1
  )
  SELECT
    (SELECT count(*) FROM visit WHERE generic) AS "genericVisits",
    (SELECT count(*) FROM video WHERE start_time >= $1 AND start_time < $2) AS recordings,
    (SELECT coalesce(json_agg(line), '[]') FROM line) AS species,
    (SELECT coalesce(json_agg(hourly), '[]') FROM hourly) AS hours,
    (SELECT coalesce(json_agg(temperature), '[]') FROM temperature) AS temperatures`;

/** Reads the aggregated facts of a period with one statement. */
export async function readReportFacts(
  pool: pg.Pool,
  { window, zone, days }: ReportPeriod,
): Promise<ReportFacts> {
  const { starts, offsets } = readZoneClock(zone, window);
  const values = [
    new Date(window.start),
    new Date(window.end),
    days.map((day) => new Date(day.start)),
    starts,
    offsets,
  ];
  return queryRow<ReportFacts>(pool, { name: 'monthly-report', text: factsSql, values });
}

/** A detection that may have a picture. */
export interface PictureCandidate {
  readonly speciesId: number;
  readonly videoId: number;
  readonly detectionId: number;
}

/** Maximum visits per species that are searched for pictures. */
const maxVisits = 100;
const maxCandidates = 12;

/** Parameters: start and end of the period, species. */
const candidatesSql = `
  SELECT species_id AS "speciesId", video_id AS "videoId", detection_id AS "detectionId"
  FROM unnest($3::integer[]) WITH ORDINALITY wanted (species_id, place) CROSS JOIN LATERAL (
    SELECT detection.id AS detection_id, video_id, reviewed, confidence FROM (
      SELECT id FROM species_visit visit
      WHERE visit.species_id = wanted.species_id AND start_time >= $1 AND start_time < $2
      ORDER BY start_time DESC LIMIT ${maxVisits}
    ) visit JOIN detection ON visit_id = visit.id
    WHERE source = 'video' ORDER BY reviewed DESC, confidence DESC, detection.id LIMIT ${maxCandidates}
  ) best ORDER BY place, reviewed DESC, confidence DESC, detection_id`;

/** Lists the detections that most likely have good pictures, best first per species, from the newest visits. */
export async function listPictureCandidates(
  pool: pg.Pool,
  speciesIds: readonly number[],
  { start, end }: TimeWindow,
): Promise<PictureCandidate[]> {
  const values = [new Date(start), new Date(end), speciesIds];
  const { rows } = await pool.query<PictureCandidate>({
    name: 'report-pictures',
    text: candidatesSql,
    values,
  });
  return rows;
}
