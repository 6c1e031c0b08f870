import type { Seen } from '@birdhub/domain/media';
import type pg from 'pg';

/** What is to be known of a recording to look into its file. */
export interface MediaVideo {
  readonly id: number;
  readonly videoPath: string;
  readonly media: 'pending' | 'ready' | 'missing' | 'purged';
  /** Bytes, as last noted. */
  readonly fileSize: number | null;
  readonly spectrogramPath: string | null;
  /** Instants in ms. */
  readonly start: number;
  readonly end: number;
  /** The middle of what was seen with most confidence, in seconds from the start. */
  readonly bestSeconds: number | null;
  /** When the recording was last posted or changed. */
  readonly updatedAt: Date;
}

const findSql = `
  SELECT id, video_path AS "videoPath", media, file_size AS "fileSize", spectrogram_path AS "spectrogramPath",
    updated_at AS "updatedAt", (extract(epoch FROM start_time) * 1000)::bigint AS start,
    (extract(epoch FROM end_time) * 1000)::bigint AS "end", (
      SELECT (start_offset + end_offset) / 2 FROM detection WHERE video_id = video.id AND source = 'video'
      ORDER BY confidence DESC, id LIMIT 1) AS "bestSeconds"
  FROM video WHERE id = ANY ($1)`;

/** Recordings under their ids; those that are not there are left out. */
export async function findMediaVideos(
  pool: pg.Pool,
  videoIds: readonly number[],
): Promise<Map<number, MediaVideo>> {
  const { rows } = await pool.query<MediaVideo>({ name: 'media-videos', text: findSql, values: [videoIds] });
  return new Map(rows.map((row) => [row.id, row]));
}

/** A recording by its id; undefined when there is none. */
export async function findMediaVideo(pool: pg.Pool, videoId: number): Promise<MediaVideo | undefined> {
  return (await findMediaVideos(pool, [videoId])).get(videoId);
}

const seenSql = `
  SELECT detection.id, start_offset AS "startOffset", end_offset AS "endOffset", coalesce(frames, '[]') AS frames
  FROM detection LEFT JOIN detection_track ON detection_id = detection.id
  WHERE video_id = $1 AND source = 'video' ORDER BY detection.id`;

/** A detection that a camera made. */
export interface SeenDetection extends Seen {
  readonly id: number;
}

/** The detections of a recording that a camera made. */
export async function listSeenDetections(pool: pg.Pool, videoId: number): Promise<readonly SeenDetection[]> {
  const query = { name: 'seen-in-recording', text: seenSql, values: [videoId] };
  return (await pool.query<SeenDetection>(query)).rows;
}

async function listIds(pool: pg.Pool, text: string, values: number[]): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(text, values);
  return rows.map((row) => row.id);
}

/** The newest recordings whose file is awaited. */
export function listNewestPending(pool: pg.Pool, limit: number): Promise<number[]> {
  return listIds(pool, `SELECT id FROM video WHERE media = 'pending' ORDER BY id DESC LIMIT $1`, [limit]);
}

/** Recordings after an id, in order, whose file is awaited. */
export function listPendingAfter(pool: pg.Pool, id: number, limit: number): Promise<number[]> {
  const text = `SELECT id FROM video WHERE media = 'pending' AND id > $1 ORDER BY id LIMIT $2`;
  return listIds(pool, text, [id, limit]);
}

/** A place in the order of when recordings changed. */
export type ChangePlace = readonly [at: Date, id: number];

const unseenSql = `
  SELECT updated_at AS at, id FROM video
  WHERE media = 'missing' AND file_size IS NULL AND (updated_at, id) > ($1, $2) ORDER BY updated_at, id LIMIT $3`;

/** Recordings after a place that count as missing as nobody has seen their file yet, in order of their change. */
export async function listUnseenAfter(
  pool: pg.Pool,
  [at, id]: ChangePlace,
  limit: number,
): Promise<ChangePlace[]> {
  const { rows } = await pool.query<{ at: Date; id: number }>(unseenSql, [at, id, limit]);
  return rows.map((row) => [row.at, row.id]);
}
