import { msSql } from '@birdhub/shared/time';
import type pg from 'pg';

/** Files and bytes of recordings by the quarter of an hour in which they start, and the total. */
export interface FileCounts {
  /** `beginsAt` in ms since the epoch. */
  readonly quarters: readonly { beginsAt: number; files: number; bytes: number }[];
  readonly bytes: number;
}

async function read(pool: pg.Pool, quarters: string, bytes: string): Promise<FileCounts> {
  const { rows } = await pool.query<FileCounts['quarters'][number]>(quarters);
  const sum = await pool.query<{ bytes: number }>(bytes);
  return { quarters: rows, bytes: sum.rows[0]?.bytes ?? 0 };
}

/** Returns the counts that the hub maintains. */
export const readCountedFiles = (pool: pg.Pool): Promise<FileCounts> =>
  read(
    pool,
    `SELECT ${msSql('begins_at')} AS "beginsAt", files, bytes FROM media_quarter
     WHERE files <> 0 OR bytes <> 0 ORDER BY begins_at`,
    `SELECT coalesce(sum(value), 0) AS bytes FROM hub_counter WHERE name = 'recordings_bytes'`,
  );

/** Returns the counts computed from the recordings. */
export const readFiles = (pool: pg.Pool): Promise<FileCounts> =>
  read(
    pool,
    `SELECT floor(extract(epoch FROM start_time) / 900)::bigint * 900000 AS "beginsAt", count(*) AS files,
       sum(file_size) AS bytes FROM video WHERE media = 'ready' GROUP BY 1 ORDER BY 1`,
    `SELECT coalesce(sum(file_size), 0) AS bytes FROM video WHERE media = 'ready'`,
  );
