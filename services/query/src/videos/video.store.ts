import { queryRow } from '@birdhub/shared/db';
import { HubError, invalidField } from '@birdhub/shared/errors';
import {
  type DayWindow,
  dayWindowAt,
  dayWindowAtOffset,
  isTimeZone,
  offsetMs,
  type TimeWindow,
} from '@birdhub/shared/time';
import type pg from 'pg';
import type { NeighborsQuery } from './videos.schema.js';

/** The result of looking up a recording: its columns, or whether a person deleted it. */
type VideoLookup<T> =
  | (T & { readonly isFound: true })
  | { readonly isFound: null; readonly isDeleted: boolean };

/** Returns a statement that looks up the recording `$1`; `found` selects the columns. It always returns a row. */
const videoLookupSql = (found: string): string => `
  SELECT found.*, EXISTS (SELECT FROM deleted_video WHERE id = $1) AS "isDeleted"
  FROM (SELECT 1) one LEFT JOIN LATERAL (${found}) found ON true`;

/** @throws HubError video_not_found, recording_deleted */
function requireFound<T>(row: VideoLookup<T> | undefined): T {
  if (row?.isFound) return row;
  throw new HubError(row?.isDeleted ? 'recording_deleted' : 'video_not_found');
}

/** The stored state of the file of a recording. */
export type MediaState = 'pending' | 'ready' | 'missing' | 'purged' | 'none';

/** A stored recording. */
export interface VideoDetail {
  /** A JSON object, without properties that depend on the file and the address of the hub. */
  readonly body: string;
  readonly media: MediaState;
  readonly videoPath: string;
  readonly spectrogramPath: string | null;
  readonly start: Date;
  readonly end: Date;
}

const detections = `
  SELECT detection.id, detection.species_id, species.name AS species_name, start_offset AS start_time,
    end_offset AS end_time, confidence, source,
    CASE WHEN track_id ~ '^(0|-?[1-9][0-9]{0,14})$' THEN track_id::json ELSE to_json(track_id) END AS track_id,
    image_url, detection_provider, plumage, reviewed, visit_id, coalesce(frames, '[]') AS frames,
    CASE WHEN source = 'video' THEN thumbhash END AS thumbhash
  FROM detection JOIN species ON species.id = detection.species_id
    LEFT JOIN detection_track track ON track.detection_id = detection.id
    LEFT JOIN detection_picture picture ON picture.detection_id = detection.id
  WHERE video_id = video.id`;

const foods = `
  SELECT id, name, image_url FROM bird_food JOIN video_food ON food_id = id WHERE video_id = video.id`;

/** SQL: the path of a recording in responses; rows of 0.1.0 may have been stored without its first folder. */
const publicPathSql = (path: string) =>
  `CASE WHEN starts_with(${path}, 'data/recordings/') THEN ${path} ELSE 'data/recordings/' || ${path} END`;

export const detailSql = videoLookupSql(`
  SELECT true AS "isFound", row_to_json(detail)::text AS body, media, detail.video_path AS "videoPath",
    detail.spectrogram_path AS "spectrogramPath", detail.start_time AS start, detail.end_time AS "end"
  FROM video CROSS JOIN LATERAL (
    SELECT video.id, created_at, start_time, end_time, processor_version, nullif(camera_id, '') AS camera_id, note,
      ${publicPathSql('video_path')} AS video_path, ${publicPathSql('spectrogram_path')} AS spectrogram_path, favorite,
      (SELECT row_to_json(weather) FROM (
        SELECT main, description, temp, humidity, pressure, clouds, wind_speed
        FROM (SELECT 1) one LEFT JOIN weather_snapshot ON weather_snapshot.id = weather_id
      ) weather) AS weather,
      (SELECT coalesce(json_agg(detection ORDER BY start_time, id), '[]') FROM (${detections}) detection) AS species,
      (SELECT coalesce(json_agg(food ORDER BY name, id), '[]') FROM (${foods}) food) AS food
  ) detail
  WHERE video.id = $1`);

const framesSql = videoLookupSql(`
  SELECT true AS "isFound", start_time AS start, end_time AS "end",
    (SELECT json_build_object('tracks', coalesce(json_agg(track ORDER BY start_time, id), '[]'))::text FROM (
      SELECT id, species_id, start_offset AS start_time, end_offset AS end_time, track_source, frames
      FROM detection JOIN detection_track ON detection_id = id WHERE video_id = video.id
    ) track) AS body
  FROM video WHERE id = $1`);

async function seek<T>(pool: pg.Pool, name: string, text: string, videoId: number): Promise<T> {
  const { rows } = await pool.query<VideoLookup<T>>({ name, text, values: [videoId] });
  return requireFound(rows[0]);
}

/** @throws HubError video_not_found, recording_deleted */
export function getVideoDetail(pool: pg.Pool, videoId: number): Promise<VideoDetail> {
  return seek(pool, 'video-detail', detailSql, videoId);
}

/** Returns the boxes of a recording as JSON. @throws HubError video_not_found, recording_deleted */
export function getDetectionFrames(
  pool: pg.Pool,
  videoId: number,
): Promise<Pick<VideoDetail, 'body' | 'start' | 'end'>> {
  return seek(pool, 'detection-frames', framesSql, videoId);
}

/** The location of the file of a recording. */
export interface VideoMedia {
  readonly videoPath: string;
  readonly media: MediaState;
  readonly spectrogramPath: string | null;
  readonly cameraId: string;
  readonly start: Date;
}

const mediaSql = videoLookupSql(`
  SELECT true AS "isFound", video_path AS "videoPath", media, spectrogram_path AS "spectrogramPath",
    camera_id AS "cameraId", start_time AS start
  FROM video WHERE id = $1`);

/** @throws HubError video_not_found, recording_deleted */
export async function getVideoMedia(pool: pg.Pool, videoId: number): Promise<VideoMedia> {
  const { rows } = await pool.query<VideoLookup<VideoMedia>>({
    name: 'video-media',
    text: mediaSql,
    values: [videoId],
  });
  return requireFound(rows[0]);
}

/** The local day of a recording for a caller. */
export interface NeighborsDay extends DayWindow {
  /** As returned by `Date.getTimezoneOffset`. */
  readonly offsetMinutes: number;
}

/** Where the days of a caller begin: a zone or a fixed offset. */
export type DayZone = { readonly zone: string } | { readonly offsetMinutes: number };

/** @throws HubError invalid_request for a zone that does not exist */
export function readDayZone(query: NeighborsQuery, hubZone: string): DayZone {
  const { day_scope, tz, tz_offset_minutes } = query;
  if (tz !== undefined && !isTimeZone(tz)) throw invalidField('tz', 'must be an IANA time zone');
  if (day_scope === 'utc') return { zone: 'UTC' };
  if (tz !== undefined) return { zone: tz };
  return tz_offset_minutes === undefined ? { zone: hubZone } : { offsetMinutes: tz_offset_minutes };
}

/** Returns the day of an instant. */
export function dayOn(dayZone: DayZone, instant: number): NeighborsDay {
  if ('offsetMinutes' in dayZone)
    return { ...dayWindowAtOffset(instant, dayZone.offsetMinutes), offsetMinutes: dayZone.offsetMinutes };
  // Avoids -0 for UTC.
  const offsetMinutes = 0 - Math.round(offsetMs(dayZone.zone, instant) / 60_000);
  return { ...dayWindowAt(dayZone.zone, instant), offsetMinutes };
}

const startSql = videoLookupSql(`SELECT true AS "isFound", start_time AS start FROM video WHERE id = $1`);

/** Returns the start of a recording, in ms. @throws HubError video_not_found, recording_deleted */
export async function getVideoStart(pool: pg.Pool, videoId: number): Promise<number> {
  const { rows } = await pool.query<VideoLookup<{ start: Date }>>({
    name: 'video-start',
    text: startSql,
    values: [videoId],
  });
  return requireFound(rows[0]).start.getTime();
}

/** The position of a recording among others. */
export interface Neighborhood {
  readonly index: number;
  readonly total: number;
  readonly previousId: number | null;
  readonly nextId: number | null;
}

/** Parameters: `$1`, `$2` the recording, `$3`, `$4` the day, `$5`, `$6` the range of its neighbours. */
const neighborsSql = `
  SELECT count(*) AS total, count(*) FILTER (WHERE (start_time, id) < ($1, $2)) AS index,
    (SELECT id FROM video WHERE (start_time, id) < ($1, $2) AND start_time >= $5
     ORDER BY start_time DESC, id DESC LIMIT 1) AS "previousId",
    (SELECT id FROM video WHERE (start_time, id) > ($1, $2) AND start_time < $6
     ORDER BY start_time, id LIMIT 1) AS "nextId"
  FROM video WHERE start_time >= $3 AND start_time < $4`;

/** Reads the position of a recording in its day; with `isCrossDay` its neighbours may be on other days. */
export async function readNeighborhood(
  pool: pg.Pool,
  { id, start }: { readonly id: number; readonly start: number },
  day: TimeWindow,
  isCrossDay: boolean,
): Promise<Neighborhood> {
  const bounds = [new Date(day.start), new Date(day.end)];
  const reach = isCrossDay ? ['-infinity', 'infinity'] : bounds;
  const values = [new Date(start), id, ...bounds, ...reach];
  return queryRow<Neighborhood>(pool, { name: 'neighbors', text: neighborsSql, values });
}
