import type { PostedRecording, PostOptions } from '@birdhub/domain/recordings';
import type pg from 'pg';
import type { Found } from './to-recording.js';

/** What the hub knows of a recording that is about to be taken. */
export interface KnownHere {
  readonly isDeleted: boolean;
  /** Null when it does not know it. */
  readonly videoId: number | null;
  readonly media: string | null;
  /** Which of the ids are taken. */
  readonly isIdTaken: boolean;
  readonly takenDetectionIds: readonly number[];
}

/** What there is under the key and under the ids of a recording. */
export async function findKnown(pool: pg.Pool, { oldId, posted }: Found): Promise<KnownHere> {
  const { cameraId, videoPath, detections } = posted;
  const ids = detections.flatMap(({ id }) => id ?? []);
  const { rows } = await pool.query<KnownHere>(
    `SELECT EXISTS (SELECT FROM deleted_video WHERE camera_id = $1 AND video_path = $2) AS "isDeleted",
       video.id AS "videoId", media,
       EXISTS (SELECT FROM video WHERE id = $3) OR EXISTS (SELECT FROM deleted_video WHERE id = $3) AS "isIdTaken",
       ARRAY(SELECT id FROM detection WHERE id = ANY ($4::bigint[])) AS "takenDetectionIds"
     FROM (SELECT 1) one LEFT JOIN video ON camera_id = $1 AND video_path = $2`,
    [cameraId, videoPath, oldId ?? null, ids],
  );
  const [known] = rows;
  if (!known) throw new Error('the database answered no row to a look-up by key');
  return known;
}

const keepSql = `
  WITH weather AS (
    INSERT INTO weather_snapshot (source, main, description, temp, humidity, pressure, clouds, wind_speed, fetched_at)
    SELECT 'birdlense', main, description, temp, humidity, pressure, clouds, "windSpeed", $5::timestamptz
    FROM json_to_record($4) AS given (main text, description text, temp float8, humidity float8, pressure float8,
      clouds float8, "windSpeed" float8)
    WHERE $4 IS NOT NULL RETURNING id),
  food AS (INSERT INTO video_food (video_id, food_id) SELECT $1, unnest($6::int[]) ON CONFLICT DO NOTHING)
  UPDATE video SET favorite = $2, created_at = coalesce($3::timestamptz, created_at),
    weather_id = coalesce((SELECT id FROM weather), weather_id)
  WHERE id = $1`;

/** Writes what the old hub knew of a recording beside its detections. */
export function writeKept(
  { isFavorite, createdAt, weather, posted }: Found,
  foodIds: readonly number[],
): NonNullable<PostOptions['alsoWrite']> {
  return ({ client, send }, videoId) => {
    const start = new Date(posted.start).toISOString();
    const weatherJson = weather ? JSON.stringify(weather) : null;
    send(client.query(keepSql, [videoId, isFavorite, createdAt, weatherJson, start, [...new Set(foodIds)]]));
  };
}

/** The recording with the ids of detections that are free here. */
export function keepFreeIds(posted: PostedRecording, isFree: (id: number) => boolean): PostedRecording {
  const detections = posted.detections.map((detection) => {
    const { id } = detection;
    return { ...detection, id: id !== undefined && isFree(id) ? id : undefined };
  });
  return { ...posted, detections };
}
