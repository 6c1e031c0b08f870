import { isOwnVisitSql } from '@birdhub/domain/recordings';
import { daysBefore } from '@birdhub/shared/time';
import type pg from 'pg';
import type { BirdHistory } from './evaluate-rule.js';

type Client = Pick<pg.ClientBase, 'query'>;

/** Days of history that decide whether a species is rare. */
export const rareWindowDays = 365;

/** The bird of a history; `visitId` is 0 before it has a visit. */
interface HistoryQuery {
  readonly speciesId: number;
  readonly visitId: number;
  /** ms since the epoch */
  readonly at: number;
  /** Calendar day of the hub's zone. */
  readonly day: string;
}

/** The requested parts of the history; others are not read. */
interface HistoryParts {
  readonly previous: boolean;
  readonly daysSeen: boolean;
  /** eBird region, and the species with its ancestors. */
  readonly region: { readonly code: string; readonly speciesLine: readonly number[] } | undefined;
}

/** Visits of the demo are left out, so that an own first bird is the first. */
const previousSql = `
  SELECT start_time AS at FROM species_visit WHERE species_id = $1 AND (start_time, id) < ($2::timestamptz, $3::bigint)
    AND ${isOwnVisitSql('species_visit.id')}
  ORDER BY start_time DESC, id DESC LIMIT 1`;

const daysSeenSql = `
  SELECT count(*)::int AS days FROM visit_day WHERE species_id = $1 AND day >= $2::date AND day < $3::date AND visits > 0`;

/** The newest list of the region comparison, regardless of its age. */
const regionSql = `
  SELECT EXISTS (
    SELECT FROM jsonb_to_recordset(value) AS reported (code text, name text, "scientificName" text)
    JOIN species ON species.id = ANY ($2) AND (code = ebird_code OR lower(reported."scientificName") = lower(scientific_name)
      OR lower(reported.name) = lower(species.name))
  ) AS "isInRegion"
  FROM outside_answer WHERE service = 'ebird' AND starts_with(key, $1) AND fetched_at IS NOT NULL
    AND jsonb_typeof(value) = 'array'
  ORDER BY fetched_at DESC LIMIT 1`;

/** Reads the history of a species before a bird with at most three indexed queries. */
export async function readHistory(
  client: Client,
  query: HistoryQuery,
  parts: HistoryParts,
): Promise<BirdHistory> {
  const previousAt = parts.previous ? await findPrevious(client, query) : null;
  const daysSeen = parts.daysSeen ? await countDays(client, query) : 0;
  const isInRegion = parts.region ? await findInRegion(client, parts.region) : null;
  return { previousAt, daysSeen, isInRegion };
}

async function findPrevious(
  client: Client,
  { speciesId, at, visitId }: HistoryQuery,
): Promise<number | null> {
  const values = [speciesId, new Date(at), visitId];
  const { rows } = await client.query<{ at: Date }>({ name: 'previous-visit', text: previousSql, values });
  return rows[0]?.at.getTime() ?? null;
}

async function countDays(client: Client, { speciesId, day }: HistoryQuery): Promise<number> {
  const values = [speciesId, daysBefore(day, rareWindowDays), day];
  const { rows } = await client.query<{ days: number }>({ name: 'days-seen', text: daysSeenSql, values });
  return rows[0]?.days ?? 0;
}

/** Whether a species is reported in the region; null without a list. */
export async function findInRegion(
  client: Client,
  { code, speciesLine }: NonNullable<HistoryParts['region']>,
): Promise<boolean | null> {
  const { rows } = await client.query<{ isInRegion: boolean }>(regionSql, [`${code} `, speciesLine]);
  return rows[0]?.isInRegion ?? null;
}

/** A past visit with its history. */
export interface PastVisit {
  readonly visitId: number;
  readonly speciesId: number;
  /** ms since the epoch */
  readonly at: number;
  readonly count: number;
  readonly previousAt: number | null;
  readonly videoId: number | null;
  readonly cameraId: string | null;
  readonly sourceId: number | null;
  readonly confidence: number | null;
}

/** A query of past visits. */
interface PastQuery {
  /** ms since the epoch */
  readonly from: number;
  readonly to: number;
  /** Undefined for all species. */
  readonly speciesIds: readonly number[] | undefined;
  /** Whether to read cameras, sources and confidences. */
  readonly hasOrigin: boolean;
  readonly limit: number;
}

const pastSql = (hasOrigin: boolean) => `
  WITH inside AS (
    SELECT id, species_id, start_time, max_simultaneous FROM species_visit
    WHERE start_time >= $1 AND start_time < $2 AND ($3::int[] IS NULL OR species_id = ANY ($3))
    ORDER BY start_time DESC, id DESC LIMIT $4
  )
  SELECT inside.id AS "visitId", species_id AS "speciesId", start_time AS at, max_simultaneous AS count,
    coalesce(lag(start_time) OVER (PARTITION BY species_id ORDER BY start_time, inside.id), (
      SELECT earlier.start_time FROM species_visit earlier
      WHERE earlier.species_id = inside.species_id AND (earlier.start_time, earlier.id) < (inside.start_time, inside.id)
      ORDER BY earlier.start_time DESC, earlier.id DESC LIMIT 1)) AS "previousAt",
    ${hasOrigin ? '"videoId", "cameraId", "sourceId", confidence' : 'NULL AS "videoId"'}
  FROM inside ${hasOrigin ? originSql : ''}
  ORDER BY start_time, inside.id`;

/** SQL: the first recording of the visit. */
const originSql = `
  LEFT JOIN LATERAL (
    SELECT video_id AS "videoId" FROM detection WHERE visit_id = inside.id ORDER BY detection.start_time, detection.id LIMIT 1
  ) started ON true
  LEFT JOIN LATERAL (
    SELECT nullif(camera_id, '') AS "cameraId", (SELECT source_id FROM source_event WHERE video_id = video.id LIMIT 1) AS "sourceId",
      (SELECT max(confidence) FROM detection WHERE visit_id = inside.id) AS confidence
    FROM video WHERE video.id = "videoId"
  ) origin ON true`;

type PastRow = Omit<PastVisit, 'at' | 'previousAt'> & { readonly at: Date; readonly previousAt: Date | null };

/** Returns the newest visits of a period, oldest first, each with the previous visit of its species. */
export async function listPastVisits(
  client: Client,
  { from, to, speciesIds, hasOrigin, limit }: PastQuery,
): Promise<PastVisit[]> {
  const values = [new Date(from), new Date(to), speciesIds ?? null, limit];
  const { rows } = await client.query<PastRow>(pastSql(hasOrigin), values);
  return rows.map(({ at, previousAt, cameraId = null, sourceId = null, confidence = null, ...rest }) => ({
    ...rest,
    at: at.getTime(),
    previousAt: previousAt?.getTime() ?? null,
    cameraId,
    sourceId,
    confidence,
  }));
}

/** Returns the days with visits by species, in order. */
export async function listDaysSeen(
  client: Client,
  {
    from,
    to,
    speciesIds,
  }: { readonly from: string; readonly to: string; readonly speciesIds: readonly number[] },
): Promise<Map<number, string[]>> {
  const { rows } = await client.query<{ species_id: number; days: string[] }>(
    `SELECT species_id, array_agg(to_char(day, 'YYYY-MM-DD') ORDER BY day) AS days FROM visit_day
     WHERE day >= $1::date AND day < $2::date AND species_id = ANY ($3) AND visits > 0 GROUP BY species_id`,
    [from, to, speciesIds],
  );
  return new Map(rows.map(({ species_id, days }) => [species_id, days]));
}
