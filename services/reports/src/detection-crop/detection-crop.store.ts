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

/** The detections of a recording that a camera made. */
export interface SeenRecording {
  /** Empty when there are none. */
  readonly videoPath: string;
  readonly detections: readonly (Seen & { readonly id: number })[];
}

const seenInRecording = `
  SELECT video_path AS "videoPath", detection.id, start_offset AS "startOffset", end_offset AS "endOffset",
    coalesce(frames, '[]') AS frames
  FROM detection JOIN video ON video.id = video_id LEFT JOIN detection_track ON detection_id = detection.id
  WHERE video_id = $1 AND source = 'video' AND media <> 'purged' ORDER BY detection.id`;

export async function listSeenDetections(pool: pg.Pool, videoId: number): Promise<SeenRecording> {
  const { rows } = await pool.query<Seen & { id: number; videoPath: string }>(seenInRecording, [videoId]);
  const detections = rows.map(({ videoPath: _, ...detection }) => detection);
  return { videoPath: rows[0]?.videoPath ?? '', detections };
}
