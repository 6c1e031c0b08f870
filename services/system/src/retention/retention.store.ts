import type { PrismaClient } from '@birdhub/shared/db';
import type pg from 'pg';
import type { RetentionRun } from './retention.schema.js';

/** What retention needs to know of all files together. */
export interface StoredFiles {
  readonly bytes: number;
  /** Whether files that were given up could not be removed: clearing more would free nothing either. */
  readonly areStuck: boolean;
}

/** Reads what the hub keeps count of. */
export async function readStoredFiles(pool: pg.Pool): Promise<StoredFiles> {
  const { rows } = await pool.query<StoredFiles>(
    `SELECT (SELECT coalesce(sum(value), 0) FROM hub_counter WHERE name = 'recordings_bytes') AS bytes,
       EXISTS (SELECT FROM file_removal WHERE tried_at IS NOT NULL) AS "areStuck"`,
  );
  return rows[0] ?? { bytes: 0, areStuck: false };
}

/** Keeps what a run of retention did, for those who ask later. SQL, as a hub at rest does it every hour. */
export async function noteRetentionRun(pool: pg.Pool, run: Omit<RetentionRun, 'finished_at'>): Promise<void> {
  await pool.query('UPDATE storage_state SET retention_at = now(), retention_run = $1', [run]);
}

/** The last run of retention, of any process; null before the first. */
export async function findRetentionRun({ storageState }: PrismaClient): Promise<RetentionRun | null> {
  const { retentionAt, retentionRun } = (await storageState.findFirst()) ?? {};
  if (!retentionAt || !retentionRun) return null;
  return { finished_at: retentionAt.toISOString(), ...(retentionRun as Omit<RetentionRun, 'finished_at'>) };
}
