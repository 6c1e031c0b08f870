import { mediaKindSql } from '@birdhub/domain/media';
import { countedSql } from '@birdhub/domain/species';
import { queryRow } from '@birdhub/shared/db';
import { hourMs, localHourSql, minuteMs, msSql, type TimeWindow, type ZoneClock } from '@birdhub/shared/time';
import type pg from 'pg';
import { noteworthyReason, type SpeciesHistory } from '../highlights/noteworthy.js';
import type { VisitsOverview } from './overview.schema.js';

/** A query of the overview. */
export interface OverviewSearch {
  /** Selects visits by their start. */
  readonly window: TimeWindow;
  readonly clock: ZoneClock;
  readonly zone: string;
  /** Start of the last hour, in ms since the epoch. */
  readonly lastHourFrom: number;
}

/** SQL: the last detection, which is in a visit that had not ended when the last visit started. */
const lastDetectionSql = `
  SELECT json_build_object('species_name', name, 'start_time', detection.start_time,
    'media_kind', (SELECT ${mediaKindSql('video')} FROM video WHERE video.id = video_id))
  FROM (SELECT max(start_time) AS began FROM visit) latest JOIN visit ON end_time >= began CROSS JOIN LATERAL (
    SELECT id, video_id, start_time FROM detection WHERE visit_id = visit.id AND end_time >= began OFFSET 0
  ) detection
  ORDER BY detection.start_time DESC, detection.id DESC LIMIT 1`;

/**
 * Parameters: window start and end, starts and offsets of the zone clock, start of the last hour. Written so that the
 * planner does not read all detections when it overestimates a month.
 */
export const overviewSql = `
  WITH visit AS MATERIALIZED (
    SELECT visit.id, species_id, name, start_time, end_time, ${localHourSql('start_time', '$3', '$4')} AS hour
    FROM species_visit visit JOIN species ON species.id = species_id
    WHERE start_time >= $1 AND start_time < $2 AND ${countedSql()}
  ), hourly AS MATERIALIZED (
    SELECT species_id, name, hour, count(*) AS visits FROM visit GROUP BY species_id, name, hour
  ), top AS (
    SELECT species_id AS id, name, sum(visits) AS total FROM hourly GROUP BY species_id, name
    ORDER BY total DESC, name, id LIMIT 10
  ), found AS MATERIALIZED (
    SELECT source, provider, count(*) AS detections, date_part('epoch', sum(length)) AS seconds
    FROM visit CROSS JOIN LATERAL (
      SELECT source, coalesce(detection_provider, 'legacy') AS provider, end_time - start_time AS length
      FROM detection WHERE visit_id = visit.id OFFSET 0
    ) detection GROUP BY source, provider
  )
  SELECT
    (SELECT coalesce(json_agg(json_build_object('id', id, 'name', name, 'detections', (
        SELECT json_agg(coalesce(visits, 0) ORDER BY every.hour)
        FROM generate_series(0, 23) every (hour)
          LEFT JOIN hourly ON hourly.hour = every.hour AND hourly.species_id = top.id
      )) ORDER BY total DESC, name, id), '[]') FROM top) AS "topSpecies",
    (SELECT json_build_object(
        'uniqueSpecies', count(DISTINCT species_id),
        'totalDetections', count(*),
        'lastHourDetections', count(*) FILTER (WHERE start_time >= $5),
        'busiestHour', (SELECT hour FROM hourly GROUP BY hour ORDER BY sum(visits) DESC, hour LIMIT 1),
        'avgVisitDuration', round(coalesce(date_part('epoch', avg(end_time - start_time)), 0)::numeric, 3),
        'videoDuration', (SELECT round(coalesce(sum(seconds), 0)::numeric, 3) FROM found WHERE source = 'video'),
        'audioDuration', (SELECT round(coalesce(sum(seconds), 0)::numeric, 3) FROM found WHERE source = 'audio'),
        'detectionByProvider', (SELECT coalesce(json_object_agg(provider, detections ORDER BY provider), '{}') FROM (
          SELECT provider, sum(detections) AS detections FROM found GROUP BY provider) named)
      ) FROM visit) AS stats,
    (${lastDetectionSql}) AS "lastDetection",
    (SELECT coalesce(json_agg(json_build_object('speciesId', species_id,
        'visits', (SELECT visits FROM species_total WHERE species_total.species_id = here.species_id),
        'previousAt', (SELECT ${msSql('max(start_time)')} FROM species_visit
          WHERE species_visit.species_id = here.species_id AND start_time < $1)) ORDER BY species_id), '[]')
      FROM (SELECT DISTINCT species_id FROM visit) here) AS histories,
    (SELECT coalesce(sum(visits), 0)::float8 FROM species_total) AS "hubVisits",
    (SELECT ${msSql('min(day)')} FROM visit_day) AS "hubSince",
    (SELECT min(day)::text FROM visit_day) AS first_visit_date`;

interface OverviewRow
  extends Omit<VisitsOverview, 'noteworthy'>,
    Pick<SpeciesHistory, 'hubVisits' | 'hubSince'> {
  readonly histories: readonly (Pick<SpeciesHistory, 'visits' | 'previousAt'> & {
    readonly speciesId: number;
  })[];
}

/** Reads the part of the overview that is derived from visits, with one statement. */
export async function readVisitsOverview(
  pool: pg.Pool,
  { window, clock, lastHourFrom, zone }: OverviewSearch,
): Promise<VisitsOverview> {
  const values = [
    new Date(window.start),
    new Date(window.end),
    clock.starts,
    clock.offsets,
    new Date(lastHourFrom),
  ];
  const row = await queryRow<OverviewRow>(pool, { name: 'overview', text: overviewSql, values });
  const { histories, hubVisits, hubSince, ...overview } = row;
  const noteworthy = histories.flatMap(({ speciesId, ...history }) => {
    const reason = noteworthyReason({ ...history, hubVisits, hubSince }, window.start, zone);
    return reason ? [{ species_id: speciesId, reason }] : [];
  });
  return { ...overview, noteworthy };
}

/**
 * Returns the start of the last hour, rounded to the minute, so that a response is valid for a minute. For a window
 * that ended earlier it is the end, as its response does not depend on the clock.
 */
export function lastHourFrom(window: TimeWindow, now: number): number {
  const hourAgo = Math.floor(now / minuteMs) * minuteMs - hourMs;
  return Math.min(Math.max(hourAgo, window.start), window.end);
}
