import { inTransaction } from '@birdhub/shared/db';
import type pg from 'pg';

/** Runs a statement that writes many valid rows, without the triggers that check each of them. */
export async function writeUnchecked(
  pool: pg.Pool,
  sql: string,
  values: readonly unknown[] = [],
): Promise<void> {
  await inTransaction(
    pool,
    (client) => client.query(sql, [...values]),
    'BEGIN; SET LOCAL session_replication_role = replica',
  );
}

/** Replaces the stored settings. Processes read them after a notice, or after `forget` of their reader. */
export async function storeSettings(pool: pg.Pool, value: object): Promise<void> {
  await pool.query(`UPDATE setting SET value = $1, version = version + 1 WHERE key = 'hub'`, [value]);
}

/** Many equal visits of one bird each, for tests of how the cost grows with their number. */
export interface ManyVisits {
  readonly count: number;
  /** Start of the first, in ms. */
  readonly from: number;
  /** Interval between the starts of two visits; more than ten seconds plus the gap. */
  readonly everyMs: number;
  readonly cameraId?: string;
}

const statement = `
  WITH kind AS (
    SELECT id FROM species WHERE rank = 'species' AND NOT generic ORDER BY id LIMIT 1
  ), moment AS (
    SELECT number, $2::timestamptz + number * $3::double precision * interval '1 millisecond' AS start_time
    FROM generate_series(0, $1::integer - 1) number
  ), recording AS (
    INSERT INTO video (camera_id, video_path, start_time, end_time, detection_count, content_hash)
    SELECT $4, format('many/%s/%s.mp4', extract(epoch FROM start_time), number), start_time,
      start_time + interval '10 seconds', 1, ''
    FROM moment ORDER BY number RETURNING id, start_time
  ), visit AS (
    INSERT INTO species_visit (species_id, start_time, end_time, max_simultaneous, detection_count, video_count)
    SELECT kind.id, start_time, start_time + interval '2 seconds', 1, 1, 1 FROM moment, kind ORDER BY number
    RETURNING id, species_id, start_time, end_time
  ), seen AS (
    INSERT INTO detection (video_id, species_id, visit_id, start_time, end_time, start_offset, end_offset,
      confidence, source, posted_name)
    SELECT recording.id, species_id, visit.id, start_time, visit.end_time, 0, 2, 0.9, 'video', 'many'
    FROM recording JOIN visit USING (start_time) ORDER BY start_time
  )
  INSERT INTO species_total (species_id, visits, individuals) SELECT id, $1, $1 FROM kind
  ON CONFLICT (species_id) DO UPDATE SET visits = species_total.visits + EXCLUDED.visits,
    individuals = species_total.individuals + EXCLUDED.individuals`;

/** Stores recordings of ten seconds, each with one detection of two seconds and its visit, in one statement. */
export async function insertManyVisits(
  pool: pg.Pool,
  { count, from, everyMs, cameraId = '' }: ManyVisits,
): Promise<void> {
  await writeUnchecked(pool, statement, [count, new Date(from), everyMs, cameraId]);
  await pool.query('ANALYZE video, species_visit, detection, species_total');
}
