import { clipSpeciesSql } from '@birdhub/domain/shares';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';
import type { VideoMedia } from '../videos/video.store.js';

/** The part of a recording that its shared link shows. */
export interface SharedClip extends VideoMedia {
  /** Names of its birds and other animals, in the order in which they appear. */
  readonly species: readonly string[];
}

const clipSql = `
  SELECT video_path AS "videoPath", media, spectrogram_path AS "spectrogramPath", camera_id AS "cameraId",
    start_time AS start, ${clipSpeciesSql} AS species
  FROM video WHERE id = $1`;

/** @throws HubError share_not_found when the recording has been deleted */
export async function readSharedClip(pool: pg.Pool, videoId: number): Promise<SharedClip> {
  const { rows } = await pool.query<SharedClip>({ name: 'shared-clip', text: clipSql, values: [videoId] });
  const [row] = rows;
  if (!row) throw new HubError('share_not_found');
  return row;
}
