import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';

/** The one row of a statement that looks for a recording: what was found, or whether a person deleted it. */
export type Sought<T> =
  | (T & { readonly isFound: true })
  | { readonly isFound: null; readonly isDeleted: boolean };

/**
 * A statement about one recording, `$1`, whose `found` has the columns that are asked for; it always answers a row.
 */
export const seekVideo = (found: string): string => `
  SELECT found.*, EXISTS (SELECT FROM deleted_video WHERE id = $1) AS "isDeleted"
  FROM (SELECT 1) asked LEFT JOIN LATERAL (${found}) found ON true`;

/** @throws HubError video_not_found, recording_deleted */
export function requireFound<T>(row: Sought<T> | undefined): T {
  if (row?.isFound) return row;
  throw new HubError(row?.isDeleted ? 'recording_deleted' : 'video_not_found');
}

/** What became of the file of a recording, as it is stored. */
export type MediaState = 'pending' | 'ready' | 'missing' | 'purged';

/** A recording as the database knows it. */
export interface VideoDetail {
  /** A JSON object, without what depends on the file and on the address of the hub. */
  readonly body: string;
  readonly media: MediaState;
  readonly videoPath: string;
  readonly spectrogramPath: string | null;
  readonly start: Date;
  readonly end: Date;
}

const detections = `
  SELECT detection.id, species_id, species.name AS species_name, start_offset AS start_time,
    end_offset AS end_time, confidence, source,
    CASE WHEN track_id ~ '^(0|-?[1-9][0-9]{0,14})$' THEN track_id::json ELSE to_json(track_id) END AS track_id,
    image_url, detection_provider, reviewed, visit_id, coalesce(frames, '[]') AS frames
  FROM detection JOIN species ON species.id = species_id
    LEFT JOIN detection_track ON detection_id = detection.id
  WHERE video_id = video.id`;

const foods = `
  SELECT id, name, image_url FROM bird_food JOIN video_food ON food_id = id WHERE video_id = video.id`;

/** A path of the recordings tree as clients know it; a few rows of 0.1.0 lack its front. */
const givenOut = (path: string) =>
  `CASE WHEN starts_with(${path}, 'data/recordings/') THEN ${path} ELSE 'data/recordings/' || ${path} END`;

export const detailSql = seekVideo(`
  SELECT true AS "isFound", row_to_json(detail)::text AS body, media, detail.video_path AS "videoPath",
    detail.spectrogram_path AS "spectrogramPath", detail.start_time AS start, detail.end_time AS "end"
  FROM video CROSS JOIN LATERAL (
    SELECT video.id, created_at, start_time, end_time, processor_version, nullif(camera_id, '') AS camera_id,
      ${givenOut('video_path')} AS video_path, ${givenOut('spectrogram_path')} AS spectrogram_path, favorite,
      (SELECT row_to_json(weather) FROM (
        SELECT main, description, temp, humidity, pressure, clouds, wind_speed
        FROM (SELECT 1) one LEFT JOIN weather_snapshot ON weather_snapshot.id = weather_id
      ) weather) AS weather,
      (SELECT coalesce(json_agg(detection ORDER BY start_time, id), '[]') FROM (${detections}) detection) AS species,
      (SELECT coalesce(json_agg(food ORDER BY name, id), '[]') FROM (${foods}) food) AS food
  ) detail
  WHERE video.id = $1`);

const framesSql = seekVideo(`
  SELECT true AS "isFound", start_time AS start, end_time AS "end",
    (SELECT json_build_object('tracks', coalesce(json_agg(track ORDER BY start_time, id), '[]'))::text FROM (
      SELECT id, species_id, start_offset AS start_time, end_offset AS end_time, track_source, frames
      FROM detection JOIN detection_track ON detection_id = id WHERE video_id = video.id
    ) track) AS body
  FROM video WHERE id = $1`);

async function seek<T>(pool: pg.Pool, name: string, text: string, videoId: number): Promise<T> {
  const { rows } = await pool.query<Sought<T>>({ name, text, values: [videoId] });
  return requireFound(rows[0]);
}

/** @throws HubError video_not_found, recording_deleted */
export function getVideoDetail(pool: pg.Pool, videoId: number): Promise<VideoDetail> {
  return seek(pool, 'video-detail', detailSql, videoId);
}

/** The boxes of a recording as JSON. @throws HubError video_not_found, recording_deleted */
export function getDetectionFrames(
  pool: pg.Pool,
  videoId: number,
): Promise<Pick<VideoDetail, 'body' | 'start' | 'end'>> {
  return seek(pool, 'detection-frames', framesSql, videoId);
}

/** What leads to the file of a recording. */
export interface VideoMedia {
  readonly videoPath: string;
  readonly media: MediaState;
  readonly spectrogramPath: string | null;
  readonly cameraId: string;
  readonly start: Date;
}

const mediaSql = seekVideo(`
  SELECT true AS "isFound", video_path AS "videoPath", media, spectrogram_path AS "spectrogramPath",
    camera_id AS "cameraId", start_time AS start
  FROM video WHERE id = $1`);

/** @throws HubError video_not_found, recording_deleted */
export async function getVideoMedia(pool: pg.Pool, videoId: number): Promise<VideoMedia> {
  const { rows } = await pool.query<Sought<VideoMedia>>({
    name: 'video-media',
    text: mediaSql,
    values: [videoId],
  });
  return requireFound(rows[0]);
}
