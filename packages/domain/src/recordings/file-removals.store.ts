import type pg from 'pg';
import { namesFile } from '../media/recording-path.js';

/** A file that is to be removed, or all that was made of a recording. */
export interface FileRemoval {
  readonly id: number;
  /** Inside the recordings tree. */
  readonly path: string | null;
  /** The recording, when it is what was made of one. */
  readonly derivedOf: number | null;
  /** Whether a recording that has its files names it: two cameras may name one file. */
  readonly isNamed: boolean;
}

const names = (column: string) => `${namesFile(column, 'path')} AND media <> 'purged'`;

const takeSql = `
  SELECT removal.id, path, derived_of AS "derivedOf",
    EXISTS (SELECT FROM (SELECT '' AS id UNION ALL SELECT id FROM camera) any_camera
      JOIN video ON video.camera_id = any_camera.id AND ${names('video_path')})
    OR EXISTS (SELECT FROM video WHERE ${names('spectrogram_path')}) AS "isNamed"
  FROM file_removal removal
  WHERE removal.id < $2 AND (tried_at IS NULL OR tried_at < now() - interval '10 minutes')
  ORDER BY removal.id DESC LIMIT $1 FOR UPDATE OF removal SKIP LOCKED`;

/** Takes the newest below an id of what is to be removed, but for what failed a moment ago or another process is at. */
export async function takeRemovals(
  client: pg.ClientBase,
  belowId: number,
  limit: number,
): Promise<FileRemoval[]> {
  const { rows } = await client.query<FileRemoval>(takeSql, [limit, belowId]);
  return rows;
}

/** Strikes off what is done; what failed waits for another time. */
export async function settleRemovals(
  client: pg.ClientBase,
  done: readonly number[],
  failed: readonly number[],
): Promise<void> {
  await client.query(
    `WITH done AS (DELETE FROM file_removal WHERE id = ANY ($1::bigint[]))
     UPDATE file_removal SET tried_at = now() WHERE id = ANY ($2::bigint[])`,
    [done, failed],
  );
}
