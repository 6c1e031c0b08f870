import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';
import type { Seen } from './choose-frame.js';

/** What a picture of a detection is made of. */
export interface SeenDetection extends Seen {
  readonly videoId: number;
  readonly videoPath: string;
  readonly media: 'pending' | 'ready' | 'missing' | 'purged';
  readonly speciesName: string;
  readonly source: 'video' | 'audio';
  readonly start: Date;
}

const text = `
  SELECT video.id AS "videoId", video_path AS "videoPath", media, species.name AS "speciesName", source,
    detection.start_time AS start, start_offset AS "startOffset", end_offset AS "endOffset",
    coalesce(frames, '[]') AS frames
  FROM detection JOIN video ON video.id = video_id JOIN species ON species.id = species_id
    LEFT JOIN detection_track ON detection_id = detection.id
  WHERE detection.id = $1`;

/** @throws HubError detection_not_found */
export async function getSeenDetection(pool: pg.Pool, id: number): Promise<SeenDetection> {
  const { rows } = await pool.query<SeenDetection>({ name: 'seen-detection', text, values: [id] });
  if (!rows[0]) throw new HubError('detection_not_found');
  return rows[0];
}

const pathsText = `SELECT id, video_path AS path FROM video WHERE id = ANY ($1) AND media <> 'purged'`;

/** The paths of recordings under their ids; those that are not there, or whose file was cleared, are left out. */
export async function findVideoPaths(
  pool: pg.Pool,
  videoIds: readonly number[],
): Promise<Map<number, string>> {
  const query = { name: 'crop-paths', text: pathsText, values: [videoIds] };
  const { rows } = await pool.query<{ id: number; path: string }>(query);
  return new Map(rows.map(({ id, path }) => [id, path]));
}

const seenInRecording = `
  SELECT detection.id, start_offset AS "startOffset", end_offset AS "endOffset", coalesce(frames, '[]') AS frames
  FROM detection LEFT JOIN detection_track ON detection_id = detection.id
  WHERE video_id = $1 AND source = 'video' ORDER BY detection.id`;

/** The detections of a recording that a camera made. */
export async function listSeenDetections(
  pool: pg.Pool,
  videoId: number,
): Promise<readonly (Seen & { readonly id: number })[]> {
  return (await pool.query<Seen & { id: number }>(seenInRecording, [videoId])).rows;
}
