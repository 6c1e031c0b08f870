import { isOfDemoSql, isOwnVisitSql, ownVisitsSql } from '@birdhub/domain/recordings';
import { countedSql } from '@birdhub/domain/species';
import type pg from 'pg';

/** A query of a digest. */
interface DigestQuery {
  /** Calendar days, inclusive. */
  readonly first: string;
  readonly last: string;
  /** Starts of its days and the end of the last one, ms since the epoch. */
  readonly bounds: readonly number[];
  /** The period of the comparison, until the first day. `start` in ms since the epoch. */
  readonly before: { readonly first: string; readonly last: string; readonly start: number };
}

/** The content of a digest. */
export interface DigestFacts {
  readonly visits: number;
  readonly visitsBefore: number;
  /** The most frequent first. */
  readonly species: readonly { readonly name: string; readonly visits: number }[];
  /** Names of species with their first visit ever. */
  readonly newSpecies: readonly string[];
  /** Days without reports of a detector; 0 if there never was one. */
  readonly daysWithoutDetector: number;
  /** The video detection with a picture and the highest confidence. */
  readonly best: {
    readonly detectionId: number;
    readonly videoId: number;
    readonly speciesName: string;
  } | null;
}

const ownVisits = ownVisitsSql({ days: ['$1', '$2'], bounds: ['$3', '$4'] });

const speciesSql = `
  SELECT species.name, visits, NOT EXISTS (
    SELECT FROM species_visit earlier WHERE earlier.species_id = species.id AND earlier.start_time < $3
      AND ${isOwnVisitSql('earlier.id')}) AS "isNew"
  FROM ${ownVisits} AS own JOIN species ON species.id = species_id WHERE ${countedSql()}
  ORDER BY visits DESC, species.name`;

const beforeSql = `
  SELECT coalesce(sum(visits), 0)::int AS visits FROM ${ownVisits} AS own JOIN species ON species.id = species_id
  WHERE ${countedSql()}`;

const bestSql = `
  SELECT detection.id AS "detectionId", video.id AS "videoId", species.name AS "speciesName"
  FROM video JOIN detection ON video_id = video.id JOIN species ON species.id = species_id
  WHERE video.start_time >= $1 AND video.start_time < $2 AND media = 'ready' AND source = 'video' AND ${countedSql()}
    AND NOT ${isOfDemoSql('video.id')}
  ORDER BY favorite DESC, reviewed DESC, confidence DESC, detection.id LIMIT 1`;

const silentDaysSql = `
  SELECT count(*)::int AS days FROM unnest($1::timestamptz[], $2::timestamptz[]) AS days (day_start, day_end)
  WHERE EXISTS (SELECT FROM processor_uptime WHERE started_at < ($1::timestamptz[])[1])
    AND NOT EXISTS (SELECT FROM processor_uptime WHERE started_at < day_end AND ended_at >= day_start)`;

/** Reads the content of a digest, without birds of the demo, from daily rollups where possible. */
export async function readDigestFacts(pool: pg.Pool, query: DigestQuery): Promise<DigestFacts> {
  const { first, last, before } = query;
  const bounds = query.bounds.map((bound) => new Date(bound));
  const window = [bounds[0], bounds.at(-1)];
  const [species, earlier, best, silent] = await Promise.all([
    pool.query<{ name: string; visits: number; isNew: boolean }>(speciesSql, [first, last, ...window]),
    pool.query<{ visits: number }>(beforeSql, [before.first, before.last, new Date(before.start), bounds[0]]),
    pool.query<NonNullable<DigestFacts['best']>>(bestSql, window),
    pool.query<{ days: number }>(silentDaysSql, [bounds.slice(0, -1), bounds.slice(1)]),
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

/** Whether the hub has recordings of the demo. */
export async function hasDemoRecordings(pool: pg.Pool): Promise<boolean> {
  return (await pool.query('SELECT FROM demo_recording LIMIT 1')).rowCount === 1;
}

/** Settings that define when a digest is due; a change of very many settings is logged by their groups. */
const scheduleKeys = [
  'digest.frequency',
  'digest.time',
  'digest.weekday',
  'general.enable_notifications',
  'digest',
];

/** Whether the settings that define when a digest is due were changed after an instant, ms since the epoch. */
export async function isScheduleChangedSince(pool: pg.Pool, at: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT FROM activity_log WHERE type = 'settings_change' AND updated_at > $1 AND data -> 'keys' ?| $2 LIMIT 1`,
    [new Date(at), scheduleKeys],
  );
  return rowCount === 1;
}
