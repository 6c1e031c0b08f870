import { mediaKindSql } from '@birdhub/domain/media';
import { maxRecordingSql } from '@birdhub/domain/recordings';
import { type DayWindow, msSql, type TimeWindow } from '@birdhub/shared/time';
import type pg from 'pg';

/** The recordings that start in a window. */
export interface CameraWindow {
  readonly window: TimeWindow;
  /** The only camera; undefined for all. */
  readonly cameraId: string | undefined;
}

/** A camera and a period of recordings without a gap of a week; instants in ms since the epoch. */
export interface Deployment {
  readonly id: string;
  readonly cameraId: string;
  readonly start: number;
  readonly end: number;
  readonly recordings: number;
  /** Whether all recordings are sound only; those without a file are if all their detections were heard. */
  readonly isSoundOnly: boolean;
  /** Names of the offered foods. */
  readonly foods: readonly string[];
}

const deploymentsSql = `
  WITH recording AS (
    SELECT id, camera_id, start_time, end_time, coalesce(${mediaKindSql('video')} = 'audio', (
      SELECT bool_and(source = 'audio') FROM detection WHERE video_id = video.id
    )) AS is_sound, start_time - max(end_time) OVER (
      PARTITION BY camera_id ORDER BY start_time, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) > interval '7 days' AS begins
    FROM video WHERE start_time >= $1 AND start_time < $2 AND ($3::text IS NULL OR camera_id = $3)
  ), numbered AS (
    SELECT *, count(*) FILTER (WHERE begins) OVER (PARTITION BY camera_id ORDER BY start_time, id) AS number FROM recording
  ), deployment AS (
    SELECT camera_id, min(start_time) AS start_time, max(end_time) AS end_time, count(*) AS recordings,
      coalesce(bool_and(is_sound), false) AS is_sound_only
    FROM numbered GROUP BY camera_id, number
  )
  SELECT CASE WHEN camera_id ~ '^[=+@-]' THEN '_' ELSE '' END || camera_id || ':' || to_char(start_time AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS id, camera_id AS "cameraId",
    ${msSql('start_time')} AS start, ${msSql('end_time')} AS end,
    recordings::int, is_sound_only AS "isSoundOnly", ARRAY(
      SELECT DISTINCT name FROM food_period JOIN bird_food ON bird_food.id = food_id
      WHERE started_at < deployment.end_time AND (ended_at IS NULL OR ended_at > deployment.start_time) ORDER BY name
    ) AS foods
  FROM deployment ORDER BY camera_id, start_time`;

/** Reads the deployments of a window, sorted by camera and time. */
export async function readDeployments(client: pg.ClientBase, search: CameraWindow): Promise<Deployment[]> {
  const { window, cameraId } = search;
  const values = [new Date(window.start), new Date(window.end), cameraId ?? null];
  return (await client.query<Deployment>(deploymentsSql, values)).rows;
}

/** Whether a search has any recordings. */
export async function hasRecordings(client: pg.ClientBase, search: CameraWindow): Promise<boolean> {
  const { window, cameraId } = search;
  // Ordered by start, as the table would otherwise be scanned from its oldest row.
  const { rowCount } = await client.query(
    `SELECT FROM video WHERE start_time >= $1 AND start_time < $2 AND ($3::text IS NULL OR camera_id = $3)
     ORDER BY start_time LIMIT 1`,
    [new Date(window.start), new Date(window.end), cameraId ?? null],
  );
  return rowCount === 1;
}

const hoursSql = `
  SELECT day::text, round(coalesce((
    SELECT sum(extract(epoch FROM upper(part) - lower(part))) FROM unnest((
      SELECT range_agg(stretch) FROM (
        SELECT tstzrange(started_at, ended_at) * tstzrange(active_start, active_end) AS stretch
        FROM processor_uptime
          JOIN unnest($5::timestamptz[], $6::timestamptz[]) active (active_start, active_end)
            ON started_at <= active_end AND ended_at >= active_start
        WHERE started_at < day_end AND ended_at > day_start
        UNION ALL
        SELECT tstzrange(start_time, greatest(start_time, end_time)) FROM video
        WHERE start_time >= day_start - ${maxRecordingSql} AND start_time < day_end AND end_time > day_start
          AND ($4::text IS NULL OR camera_id = $4)
      ) watched
    ) * tstzmultirange(tstzrange(day_start, day_end))) part
  ), 0) / 3600, 4)::float8 AS hours,
    EXISTS (
      SELECT FROM video WHERE start_time >= day_start AND start_time < day_end AND ($4::text IS NULL OR camera_id = $4)
    ) AS "hasRecordings"
  FROM unnest($1::date[], $2::timestamptz[], $3::timestamptz[]) requested (day, day_start, day_end) ORDER BY day`;

/** The duration of observation on a day. */
export interface WatchedDay {
  readonly day: string;
  readonly hours: number;
  /** Whether a recording starts on it, even a picture without a duration. */
  readonly hasRecordings: boolean;
}

/**
 * Reads the hours of observation of each day, or part of one: a detector reported, or the camera (or any) recorded. As
 * detectors report for all cameras, their reports count for one camera only within its deployments.
 */
export async function readHoursWatched(
  client: pg.ClientBase,
  { days, window, cameraId }: CameraWindow & { readonly days: readonly DayWindow[] },
  deployments: readonly Deployment[],
): Promise<WatchedDay[]> {
  const active = cameraId === undefined ? [window] : deployments;
  const values = [
    days.map(({ day }) => day),
    days.map(({ start }) => new Date(start)),
    days.map(({ end }) => new Date(end)),
    cameraId ?? null,
    active.map(({ start }) => new Date(Number(start))),
    active.map(({ end }) => new Date(Number(end))),
  ];
  return (await client.query<WatchedDay>(hoursSql, values)).rows;
}
