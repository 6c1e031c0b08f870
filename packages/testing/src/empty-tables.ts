import type pg from 'pg';

/** The tables with recordings, corrections and data derived from them; without cameras and species. */
export const recordingTables: readonly string[] = [
  'video',
  'deleted_video',
  'detection',
  'detection_track',
  'detection_picture',
  'species_visit',
  'attached_run',
  'visit_day',
  'visit_month',
  'species_total',
  'hub_counter',
  'outbox',
  'video_food',
  'correction',
  'correction_detection',
  'file_removal',
  'media_quarter',
  'activity_log',
];

/**
 * Deletes all rows of tables, and of those that refer to them, without running triggers. For few rows it is faster than
 * TRUNCATE, which recreates each table and index and makes every connection plan its statements again.
 */
export async function emptyTables(pool: pg.Pool, tables: readonly string[]): Promise<void> {
  const list = tables.map((table) => `'${table}'::regclass`).join(', ');
  await pool.query(`
    DO $$
    DECLARE
      one regclass;
    BEGIN
      SET LOCAL session_replication_role = replica;
      FOR one IN
        WITH RECURSIVE found AS (
          SELECT unnest(ARRAY[${list}])::oid AS id
          UNION
          SELECT conrelid FROM pg_constraint JOIN found ON confrelid = found.id WHERE contype = 'f'
        )
        SELECT id FROM found
      LOOP
        EXECUTE format('DELETE FROM %s', one);
      END LOOP;
    END
    $$`);
}
