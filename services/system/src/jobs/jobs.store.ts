import type pg from 'pg';
import type { Job, JobName, JobParameters } from './job.js';

/** A job, as the statements of these stores read it. */
export const jobColumns = `
  job.id, job.kind, job.state, job.parameters, job.total, job.processed, job.generated, job.failed, job.skipped,
  job.frames_updated AS "framesUpdated", job.position, job.current_video_id AS "currentVideoId", job.failures,
  job.result, job.error, job.started_at AS "startedAt", job.finished_at AS "finishedAt"`;

/** Recordings that a job is about; those whose files were cleared have nothing to work on. */
export const isMeant = `
  media <> 'purged' AND ($1::jsonb ->> 'from' IS NULL OR start_time >= ($1::jsonb ->> 'from')::timestamptz)
    AND ($1::jsonb ->> 'to' IS NULL OR start_time < ($1::jsonb ->> 'to')::timestamptz)
    AND ($1::jsonb -> 'videoIds' = 'null' OR id = ANY (
      SELECT jsonb_array_elements_text(nullif($1::jsonb -> 'videoIds', 'null'))::bigint))`;

/** Only of jobs that name recordings it is known at the start how many there are. */
const addSql = `
  INSERT INTO job (kind, parameters, total)
  VALUES ($2, $1, CASE WHEN $1::jsonb ? 'videoIds' THEN (SELECT count(*) FROM video WHERE ${isMeant}) ELSE 0 END)
  ON CONFLICT (kind) WHERE state = 'running' DO NOTHING RETURNING ${jobColumns}`;

/** Begins a job; undefined while one of its kind is running. */
export async function addJob(
  pool: pg.Pool,
  kind: JobName,
  parameters: JobParameters,
): Promise<Job | undefined> {
  const { rows } = await pool.query<Job>(addSql, [JSON.stringify(parameters), kind]);
  return rows[0];
}

/** Undefined when there is none. */
export async function findJob(pool: pg.Pool, jobId: number): Promise<Job | undefined> {
  const { rows } = await pool.query<Job>(`SELECT ${jobColumns} FROM job WHERE id = $1`, [jobId]);
  return rows[0];
}

/** The newest job of a kind; undefined when there never was one. */
export async function findLatest(pool: pg.Pool, kind: JobName): Promise<Job | undefined> {
  const { rows } = await pool.query<Job>(
    `SELECT ${jobColumns} FROM job WHERE kind = $1 ORDER BY id DESC LIMIT 1`,
    [kind],
  );
  return rows[0];
}

/** Jobs, the newest first. */
export async function listJobs(pool: pg.Pool, limit: number): Promise<Job[]> {
  const { rows } = await pool.query<Job>(`SELECT ${jobColumns} FROM job ORDER BY id DESC LIMIT $1`, [limit]);
  return rows;
}

/** Asks a job to end; answers what it is, also when it had ended before; undefined when there is none. */
export async function requestCancel(pool: pg.Pool, jobId: number): Promise<Job | undefined> {
  const { rows } = await pool.query<Job>(
    `UPDATE job SET cancel_requested = cancel_requested OR state = 'running' WHERE id = $1 RETURNING ${jobColumns}`,
    [jobId],
  );
  return rows[0];
}
