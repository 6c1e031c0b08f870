import type pg from 'pg';

/** Stores whether the disk is full and nothing is left to delete. Returns whether that changed. */
export async function noteStorageState(pool: pg.Pool, isExhausted: boolean): Promise<boolean> {
  const { rowCount } = await pool.query(
    'UPDATE storage_state SET exhausted = $1, changed_at = now() WHERE exhausted <> $1',
    [isExhausted],
  );
  return rowCount === 1;
}

/** Returns whether the disk is full and nothing is left to delete. */
export async function isStorageExhausted(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ exhausted: boolean }>('SELECT exhausted FROM storage_state');
  return rows[0]?.exhausted ?? false;
}
