import { countedSql } from '@birdhub/domain/species';
import type pg from 'pg';

/** The time of a digest. */
interface DigestQuery {
  /** Calendar days, both included. */
  readonly first: string;
  readonly last: string;
  /** The same as instants, ms since the epoch. */
  readonly start: number;
  readonly end: number;
  /** The time that it is compared with. */
  readonly before: { readonly first: string; readonly last: string };
}

/** What a digest says. */
export interface DigestFacts {
  readonly visits: number;
  readonly visitsBefore: number;
  /** The most frequent first. */
  readonly species: readonly { readonly name: string; readonly visits: number }[];
  /** Names of species that came for the first time ever. */
  readonly newSpecies: readonly string[];
  /** Days on which no detector was heard; 0 when none was ever heard before. */
  readonly daysWithoutDetector: number;
  /** The surest detection by video that has a picture. */
  readonly best: {
    readonly detectionId: number;
    readonly videoId: number;
    readonly speciesName: string;
  } | null;
}

const speciesSql = `
  SELECT species.name, sum(visits)::int AS visits, NOT EXISTS (
    SELECT FROM species_visit earlier WHERE earlier.species_id = species.id AND earlier.start_time < $3) AS "isNew"
  FROM visit_day JOIN species ON species.id = species_id
  WHERE day >= $1::date AND day <= $2::date AND visits > 0 AND ${countedSql()}
  GROUP BY species.id ORDER BY visits DESC, species.name`;

const beforeSql = `
  SELECT coalesce(sum(visits), 0)::int AS visits FROM visit_day JOIN species ON species.id = species_id
  WHERE day >= $1::date AND day <= $2::date AND ${countedSql()}`;

const bestSql = `
  SELECT detection.id AS "detectionId", video.id AS "videoId", species.name AS "speciesName"
  FROM video JOIN detection ON video_id = video.id JOIN species ON species.id = species_id
  WHERE video.start_time >= $1 AND video.start_time < $2 AND media = 'ready' AND source = 'video' AND ${countedSql()}
  ORDER BY favorite DESC, reviewed DESC, confidence DESC, detection.id LIMIT 1`;

const silentDaysSql = `
  SELECT count(*)::int AS days FROM generate_series($1::timestamptz, $2::timestamptz - interval '1 hour', interval '1 day') day
  WHERE EXISTS (SELECT FROM processor_uptime WHERE started_at < $1)
    AND NOT EXISTS (SELECT FROM processor_uptime WHERE started_at < day + interval '1 day' AND ended_at >= day)`;

/** Reads what a digest says, from the rollups of days where they tell. */
export async function readDigestFacts(pool: pg.Pool, query: DigestQuery): Promise<DigestFacts> {
  const { first, last, start, end, before } = query;
  const window = [new Date(start), new Date(end)];
  const [species, earlier, best, silent] = await Promise.all([
    pool.query<{ name: string; visits: number; isNew: boolean }>(speciesSql, [first, last, new Date(start)]),
    pool.query<{ visits: number }>(beforeSql, [before.first, before.last]),
    pool.query<NonNullable<DigestFacts['best']>>(bestSql, window),
    pool.query<{ days: number }>(silentDaysSql, window),
  ]);
  return {
    visits: species.rows.reduce((sum, { visits }) => sum + visits, 0),
    visitsBefore: earlier.rows[0]?.visits ?? 0,
    species: species.rows.map(({ name, visits }) => ({ name, visits })),
    newSpecies: species.rows.filter(({ isNew }) => isNew).map(({ name }) => name),
    daysWithoutDetector: silent.rows[0]?.days ?? 0,
    best: best.rows[0] ?? null,
  };
}
