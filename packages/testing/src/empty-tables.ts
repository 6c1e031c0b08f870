import type pg from 'pg';

/** The tables that recordings, corrections and what follows from them are written to; cameras and species are not. */
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
 * Empties tables, and those that refer to them, without their triggers. For few rows it is quicker than TRUNCATE, which
 * makes each table and index again and has every connection plan its statements again.
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
