import { folderSql } from '@birdhub/domain/media';
import type { PrismaClient } from '@birdhub/shared/db';
import type pg from 'pg';
import type { RetentionRun } from './retention.schema.js';

/** Totals of all files. */
export interface StoredFiles {
  readonly bytes: number;
  /** Whether no purged file can be removed, so that purging more would not free space either. */
  readonly areStuck: boolean;
  /** Folders from which files could not be removed, inside the recordings tree, with a slash at the end. */
  readonly stuckFolders: readonly string[];
}

/**
 * So many files of a folder that could not be removed mean that none of it can be; so many of other folders since a file
 * was last removed mean that none at all can be.
 */
const stuckFiles = 10;

/** A review outweighs any confidence. */
const bestSql = `
  SELECT DISTINCT video_id AS id FROM (
    SELECT video_id, row_number() OVER (
      PARTITION BY species_id ORDER BY max(confidence + CASE WHEN reviewed THEN 2 ELSE 0 END) DESC, video_id) AS place
    FROM detection JOIN species ON species.id = species_id AND NOT generic
      JOIN video ON video.id = video_id AND media IN ('pending', 'ready')
    GROUP BY species_id, video_id
  ) ranked WHERE place <= $1`;

/** Reads the maintained totals. */
export async function readStoredFiles(pool: pg.Pool): Promise<StoredFiles> {
  const { rows } = await pool.query<StoredFiles>(
    `WITH failed AS (
       SELECT ${folderSql('path')} AS folder, count(*) AS files,
         count(*) FILTER (
           WHERE requested_at > coalesce((SELECT removed_at FROM storage_state), '-infinity')) AS recent_files
       FROM file_removal WHERE tried_at IS NOT NULL AND path IS NOT NULL GROUP BY 1)
     SELECT (SELECT coalesce(sum(value), 0) FROM hub_counter WHERE name = 'recordings_bytes') AS bytes,
       coalesce(sum(recent_files) FILTER (WHERE files < ${stuckFiles}), 0) >= ${stuckFiles} AS "areStuck",
       coalesce(array_agg(folder) FILTER (WHERE files >= ${stuckFiles}), '{}') AS "stuckFolders"
     FROM failed`,
  );
  return rows[0] ?? { bytes: 0, areStuck: false, stuckFolders: [] };
}

/** Returns the recordings of the best detections of each species: reviewed ones first, then by confidence. */
export async function listBestRecordings(pool: pg.Pool, perSpecies: number): Promise<ReadonlySet<number>> {
  if (perSpecies === 0) return new Set();
  const { rows } = await pool.query<{ id: number }>(bestSql, [perSpecies]);
  return new Set(rows.map((row) => row.id));
}

/** Stores the result of a run. Plain SQL, as an idle hub runs it hourly. */
export async function saveRetentionRun(pool: pg.Pool, run: Omit<RetentionRun, 'finished_at'>): Promise<void> {
  await pool.query('UPDATE storage_state SET retention_at = now(), retention_run = $1', [run]);
}

/** Returns the last run of any process; null before the first. */
export async function findRetentionRun({ storageState }: PrismaClient): Promise<RetentionRun | null> {
  const { retentionAt, retentionRun } = (await storageState.findFirst()) ?? {};
  if (!retentionAt || !retentionRun) return null;
  const run = retentionRun as Omit<RetentionRun, 'finished_at'>;
  // Runs of earlier versions lack the confirmation.
  const { awaiting_confirmation = null } = run as Partial<RetentionRun>;
  return { ...run, finished_at: retentionAt.toISOString(), awaiting_confirmation };
}
