import type { Frame } from '@birdhub/domain/recordings';
import type pg from 'pg';
import type { Span } from './box.js';

/** What was seen in a recording, and where. */
export interface TrackedDetection extends Span {
  readonly id: number;
  /** As the processor sent them. */
  readonly posted: readonly Frame[];
  /** Whether its boxes were made anew before. */
  readonly isMade: boolean;
}

const text = `
  SELECT detection.id, start_offset AS start, end_offset AS "end", coalesce(posted_frames, frames, '[]') AS posted,
    posted_frames IS NOT NULL AS "isMade"
  FROM detection LEFT JOIN detection_track ON detection_id = detection.id
  WHERE video_id = $1 AND source = 'video' ORDER BY detection.id`;

/** The detections of a recording that were seen, by id. */
export async function listTracked(pool: pg.Pool, videoId: number): Promise<TrackedDetection[]> {
  const { rows } = await pool.query<TrackedDetection>(text, [videoId]);
  return rows;
}
