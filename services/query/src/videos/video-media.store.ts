import type pg from 'pg';
import { requireFound, type Sought, seekVideo } from './found-video.js';
import type { MediaState } from './video-detail.store.js';

/** What leads to the file of a recording. */
export interface VideoMedia {
  readonly videoPath: string;
  readonly media: MediaState;
  readonly spectrogramPath: string | null;
  readonly cameraId: string;
  readonly start: Date;
}

const text = seekVideo(`
  SELECT true AS "isFound", video_path AS "videoPath", media, spectrogram_path AS "spectrogramPath",
    camera_id AS "cameraId", start_time AS start
  FROM video WHERE id = $1`);

/** @throws HubError video_not_found, recording_deleted */
export async function getVideoMedia(pool: pg.Pool, videoId: number): Promise<VideoMedia> {
  const { rows } = await pool.query<Sought<VideoMedia>>({ name: 'video-media', text, values: [videoId] });
  return requireFound(rows[0]);
}
