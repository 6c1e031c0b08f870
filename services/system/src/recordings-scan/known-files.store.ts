import { namesFile } from '@birdhub/domain/media';
import type { PrismaClient } from '@birdhub/shared/db';
import type pg from 'pg';

/** A recording of a file. */
export interface KnownFile {
  /** Relative to the recordings tree. */
  readonly path: string;
  /** Null for a deleted recording. */
  readonly id: number | null;
  readonly media: 'pending' | 'ready' | 'missing' | 'purged' | null;
  readonly sizeBytes: number | null;
  /** Modification time of an unreadable file; null when it is readable or unknown. */
  readonly unreadableAt: Date | null;
}

const isOfFile = namesFile('video_path', 'path');

const knownSql = `
  WITH any_camera AS MATERIALIZED (SELECT '' AS camera_id UNION SELECT id FROM camera)
  SELECT path, known.* FROM unnest($1::text[]) AS given (path) CROSS JOIN LATERAL (
    SELECT id, media, file_size AS "sizeBytes", unreadable_at AS "unreadableAt"
    FROM any_camera JOIN video USING (camera_id) WHERE ${isOfFile}
    UNION ALL
    SELECT NULL, NULL, NULL, NULL FROM any_camera JOIN deleted_video USING (camera_id) WHERE ${isOfFile}
  ) AS known`;

/** Returns the recordings of files, deleted ones included. */
export async function listKnownFiles(pool: pg.Pool, paths: readonly string[]): Promise<KnownFile[]> {
  const { rows } = await pool.query<KnownFile>({ name: 'known-files', text: knownSql, values: [paths] });
  return rows;
}

/** Returns the ids of all cameras of recordings. */
export async function listCameraIds({ camera }: PrismaClient): Promise<string[]> {
  return (await camera.findMany({ select: { id: true } })).map(({ id }) => id);
}

/** Returns how many recordings have no file. */
export async function countMissing(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*) AS count FROM video WHERE media = 'missing'`,
  );
  return rows[0]?.count ?? 0;
}

/** Returns how many recordings scans have imported since an instant. */
export async function countImported(pool: pg.Pool, since: Date): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*) AS count FROM video WHERE created_at >= $1 AND trigger_source = 'scan'`,
    [since],
  );
  return rows[0]?.count ?? 0;
}
