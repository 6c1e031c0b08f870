import { anyCameraSql, namesFile, pathInRecordings } from '@birdhub/domain/media';
import { queryRow } from '@birdhub/shared/db';
import type pg from 'pg';

const storedSql = 'SELECT EXISTS (SELECT FROM video WHERE camera_id = $1 AND video_path = $2) AS "isStored"';

/** Returns whether a recording is stored, by its key. */
export async function isStored(pool: pg.Pool, cameraId: string, videoPath: string): Promise<boolean> {
  const values = [cameraId, videoPath];
  return (await queryRow<{ isStored: boolean }>(pool, { text: storedSql, values })).isStored;
}

const foreignSql = `
  WITH ${anyCameraSql}
  SELECT EXISTS (SELECT FROM any_camera JOIN video USING (camera_id)
                 WHERE ${namesFile('video_path', '$1::text')} AND camera_id <> ALL ($2::text[]))
    OR EXISTS (SELECT FROM video
               WHERE ${namesFile('spectrogram_path', '$1::text')} AND camera_id <> ALL ($2::text[]))
    OR EXISTS (SELECT FROM camera WHERE starts_with($1::text, id || '/') AND id <> ALL ($2::text[]))
      AND NOT EXISTS (SELECT FROM unnest($2::text[]) own WHERE starts_with($1::text, own || '/')) AS "isForeign"`;

/** Returns whether a file is below the folder of a camera other than these, or named by a recording of one. */
export async function isForeignFile(
  pool: pg.Pool,
  path: string,
  cameras: readonly string[],
): Promise<boolean> {
  const values = [pathInRecordings(path), cameras];
  return (await queryRow<{ isForeign: boolean }>(pool, { text: foreignSql, values })).isForeign;
}
