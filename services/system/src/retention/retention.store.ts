import type pg from 'pg';

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
