import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type ItemResult, jobProblem } from '@birdhub/domain/jobs';
import {
  type FramedDetection,
  type MediaFile,
  openMediaFile,
  posterFile,
  removeSizedPosters,
  type SoundSpan,
} from '@birdhub/domain/media';
import { msSql } from '@birdhub/shared/time';
import type pg from 'pg';

/** The properties of a recording for its inspection. */
export interface MediaVideo {
  readonly id: number;
  readonly videoPath: string;
  readonly media: 'pending' | 'ready' | 'missing' | 'purged' | 'none';
  /** Last recorded size in bytes. */
  readonly fileSize: number | null;
  readonly spectrogramPath: string | null;
  /** Instants in ms. */
  readonly start: number;
  readonly end: number;
  /**
   * The box nearest to the middle of the video detection with the highest confidence, or else that middle, in seconds
   * from the start.
   */
  readonly bestSeconds: number | null;
  /** Last post or change of the recording. */
  readonly updatedAt: Date;
}

const findSql = `
  SELECT id, video_path AS "videoPath", media, file_size AS "fileSize", spectrogram_path AS "spectrogramPath",
    updated_at AS "updatedAt", ${msSql('start_time')} AS start,
    ${msSql('end_time')} AS "end", (
      SELECT coalesce((
        SELECT (frame ->> 't')::float8 FROM json_array_elements(frames) frame
        ORDER BY abs((frame ->> 't')::float8 - middle), 1 LIMIT 1), middle)
      FROM detection LEFT JOIN detection_track ON detection_id = detection.id,
        LATERAL (SELECT (start_offset + end_offset) / 2 AS middle) span
      WHERE detection.video_id = video.id AND source = 'video'
      ORDER BY confidence DESC, detection.id LIMIT 1) AS "bestSeconds"
  FROM video WHERE id = ANY ($1)`;

/** Returns existing recordings by id. */
export async function findMediaVideos(
  pool: pg.Pool,
  videoIds: readonly number[],
): Promise<Map<number, MediaVideo>> {
  const { rows } = await pool.query<MediaVideo>({ name: 'media-videos', text: findSql, values: [videoIds] });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns undefined when the recording does not exist. */
export async function findMediaVideo(pool: pg.Pool, videoId: number): Promise<MediaVideo | undefined> {
  return (await findMediaVideos(pool, [videoId])).get(videoId);
}

const videoDetectionsSql = `
  SELECT detection.id, start_offset AS "startOffset", end_offset AS "endOffset", coalesce(frames, '[]') AS frames
  FROM detection LEFT JOIN detection_track ON detection_id = detection.id
  WHERE video_id = $1 AND source = 'video' ORDER BY detection.id`;

/** A detection in the video. */
export interface VideoDetection extends FramedDetection {
  readonly id: number;
}

/** Returns the detections in the video of a recording. */
export async function listVideoDetections(
  pool: pg.Pool,
  videoId: number,
): Promise<readonly VideoDetection[]> {
  const query = { name: 'video-detections', text: videoDetectionsSql, values: [videoId] };
  return (await pool.query<VideoDetection>(query)).rows;
}

/** Returns the spans of the detections of a recording, in seconds from its start. */
export async function listSpans(pool: pg.Pool, videoId: number): Promise<readonly SoundSpan[]> {
  const text = `
    SELECT DISTINCT start_offset AS "from", end_offset AS "to" FROM detection WHERE video_id = $1 ORDER BY 1, 2`;
  return (await pool.query<SoundSpan>({ name: 'detection-spans', text, values: [videoId] })).rows;
}

async function listIds(pool: pg.Pool, text: string, values: number[]): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(text, values);
  return rows.map((row) => row.id);
}

/** Returns the newest recordings whose file is awaited. */
export function listNewestPending(pool: pg.Pool, limit: number): Promise<number[]> {
  return listIds(pool, `SELECT id FROM video WHERE media = 'pending' ORDER BY id DESC LIMIT $1`, [limit]);
}

/** Returns recordings after an id whose file is awaited, by id. */
export function listPendingAfter(pool: pg.Pool, id: number, limit: number): Promise<number[]> {
  const text = `SELECT id FROM video WHERE media = 'pending' AND id > $1 ORDER BY id LIMIT $2`;
  return listIds(pool, text, [id, limit]);
}

/** Whether a recording has or may get a file. */
export const mayHaveFile = ({ media }: MediaVideo): boolean => media !== 'purged' && media !== 'none';

/** A position in the order of the last change. */
export type ChangePosition = readonly [at: Date, id: number];

const unseenSql = `
  SELECT updated_at AS at, id FROM video
  WHERE media = 'missing' AND file_size IS NULL AND (updated_at, id) > ($1, $2) ORDER BY updated_at, id LIMIT $3`;

/**
 * Returns recordings after a position that are marked as missing and whose file was never found, by their last change.
 */
export async function listUnseenAfter(
  pool: pg.Pool,
  [at, id]: ChangePosition,
  limit: number,
): Promise<ChangePosition[]> {
  const { rows } = await pool.query<{ at: Date; id: number }>(unseenSql, [at, id, limit]);
  return rows.map((row) => [row.at, row.id]);
}

/** Runs a job's work on the open file of a recording. Skips deleted recordings, and fails without a file. */
export async function withVideoFile(
  { pool, recordingsDir }: { readonly pool: pg.Pool; readonly recordingsDir: string },
  videoId: number,
  work: (video: MediaVideo, file: MediaFile) => Promise<ItemResult>,
): Promise<ItemResult> {
  const video = await findMediaVideo(pool, videoId);
  if (!video || !mayHaveFile(video)) return { outcome: 'skipped' };
  const file = await openMediaFile(recordingsDir, video.videoPath);
  if (!file) return { outcome: 'failed', reason: jobProblem('file_missing') };
  try {
    return await work(video, file);
  } finally {
    await file.handle.close();
  }
}

/** Whether a recording has a poster, and, if a file is given, one that is not older than the file. */
export async function hasPoster(
  dataDir: string,
  videoId: number,
  file?: Pick<MediaFile, 'modifiedMs'>,
): Promise<boolean> {
  const poster = await stat(posterFile(dataDir, videoId)).catch(() => undefined);
  return poster !== undefined && (file === undefined || poster.mtimeMs >= file.modifiedMs);
}

/** Stores the poster of a recording, replacing an earlier one. */
export async function storePoster(dataDir: string, videoId: number, bytes: Buffer): Promise<void> {
  const path = posterFile(dataDir, videoId);
  await mkdir(dirname(path), { recursive: true });
  await writeAtomically(path, bytes);
  await removeSizedPosters(dataDir, videoId);
}

const keyFile = (dataDir: string, videoId: number) =>
  join(dirname(posterFile(dataDir, videoId)), 'poster.key');

/** Whether the poster of a recording exists and was stored with a key. */
export async function hasKeyedPoster(
  dataDir: string,
  videoId: number,
  file: Pick<MediaFile, 'modifiedMs'>,
  key: string,
): Promise<boolean> {
  const stored = await readFile(keyFile(dataDir, videoId), 'utf8').catch(() => undefined);
  return stored === key && (await hasPoster(dataDir, videoId, file));
}

/** Stores the poster of a recording with a key that identifies its content. */
export async function storeKeyedPoster(
  dataDir: string,
  videoId: number,
  { bytes, key }: { readonly bytes: Buffer; readonly key: string },
): Promise<void> {
  await storePoster(dataDir, videoId, bytes);
  await writeAtomically(keyFile(dataDir, videoId), Buffer.from(key));
}

/** Writes a file atomically. */
export async function writeAtomically(path: string, bytes: Buffer): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
  try {
    await writeFile(draft, bytes);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
