import { insertOutbox, outboxRow } from '@birdhub/shared/outbox';
import type pg from 'pg';
import type { ItemResult, Job, JobName, JobParameters } from './job.js';

const mostFailures = 100;

const columns = `
  id, kind, state, parameters, total, generated, failed, skipped, frames_updated AS "framesUpdated", position,
  current_video_id AS "currentVideoId", failures, error, started_at AS "startedAt", finished_at AS "finishedAt"`;

/** Recordings that a job is about; those whose files were cleared have nothing to work on. */
const isMeant = `
  media <> 'purged' AND ($1::jsonb ->> 'from' IS NULL OR start_time >= ($1::jsonb ->> 'from')::timestamptz)
    AND ($1::jsonb ->> 'to' IS NULL OR start_time < ($1::jsonb ->> 'to')::timestamptz)
    AND ($1::jsonb -> 'videoIds' = 'null' OR id = ANY (
      SELECT jsonb_array_elements_text(nullif($1::jsonb -> 'videoIds', 'null'))::bigint))`;

const addSql = `
  INSERT INTO job (kind, parameters, total) VALUES ($2, $1, (SELECT count(*) FROM video WHERE ${isMeant}))
  ON CONFLICT (kind) WHERE state = 'running' DO NOTHING RETURNING ${columns}`;

/** Begins a job; undefined while one of its kind is running. */
export async function addJob(
  pool: pg.Pool,
  kind: JobName,
  parameters: JobParameters,
): Promise<Job | undefined> {
  const { rows } = await pool.query<Job>(addSql, [JSON.stringify(parameters), kind]);
  return rows[0];
}

/** The newest job of a kind; undefined when there never was one. */
export async function findLatest(pool: pg.Pool, kind: JobName): Promise<Job | undefined> {
  const { rows } = await pool.query<Job>(
    `SELECT ${columns} FROM job WHERE kind = $1 ORDER BY id DESC LIMIT 1`,
    [kind],
  );
  return rows[0];
}

/** Jobs, the newest first. */
export async function listJobs(pool: pg.Pool, limit: number): Promise<Job[]> {
  const { rows } = await pool.query<Job>(`SELECT ${columns} FROM job ORDER BY id DESC LIMIT $1`, [limit]);
  return rows;
}

/** Makes a runner the one of the running job of a kind, in place of one that is gone; undefined when none is running. */
export async function takeJob(pool: pg.Pool, kind: JobName, runner: string): Promise<Job | undefined> {
  const { rows } = await pool.query<Job>(
    `UPDATE job SET runner = $2 WHERE kind = $1 AND state = 'running' RETURNING ${columns}`,
    [kind, runner],
  );
  return rows[0];
}

/** The next recordings of a job after its position, by id. */
export async function listNext(
  pool: pg.Pool,
  { parameters }: Job,
  position: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `SELECT id FROM video WHERE ${isMeant} AND id > $2 ORDER BY id LIMIT $3`,
    [JSON.stringify(parameters), position, limit],
  );
  return rows.map((row) => row.id);
}

/** A job and who works on it: what another runner has taken over meanwhile is left alone. */
export interface JobRun {
  readonly jobId: number;
  readonly runner: string;
}

const isOurs = `id = $1 AND runner = $2 AND state = 'running'`;

/** Says which recording comes next, and whether to go on with it. */
export async function beginItem(
  pool: pg.Pool,
  { jobId, runner }: JobRun,
  videoId: number,
): Promise<'go' | 'cancelled' | 'lost'> {
  const { rows } = await pool.query<{ cancel_requested: boolean }>(
    `UPDATE job SET current_video_id = $3 WHERE ${isOurs} RETURNING cancel_requested`,
    [jobId, runner, videoId],
  );
  if (!rows[0]) return 'lost';
  return rows[0].cancel_requested ? 'cancelled' : 'go';
}

/** Counts what became of a recording, which is done with by that. */
export async function endItem(
  pool: pg.Pool,
  { jobId, runner }: JobRun,
  videoId: number,
  result: ItemResult,
): Promise<void> {
  const { outcome } = result;
  const frames = (outcome === 'generated' && result.frames) || 0;
  const failures = outcome === 'failed' ? [{ video_id: videoId, reason: result.reason }] : [];
  await pool.query(
    `UPDATE job SET position = $3, ${outcome} = ${outcome} + 1, frames_updated = frames_updated + $4,
       failures = CASE WHEN jsonb_array_length(failures) < $6 THEN failures || $5::jsonb ELSE failures END
     WHERE ${isOurs}`,
    [jobId, runner, videoId, frames, JSON.stringify(failures), mostFailures],
  );
}

const finishSql = `
  WITH finished AS (
    UPDATE job SET state = $3, error = $4, finished_at = now(), current_video_id = NULL, runner = NULL
    WHERE ${isOurs} RETURNING id)
  ${insertOutbox('$5')} WHERE EXISTS (SELECT FROM finished)`;

/** How a job ended, and why it could not go on when that is so. */
export interface JobEnd {
  readonly state: Exclude<Job['state'], 'running'>;
  readonly error: string | null;
}

/** Ends a job and tells of it. */
export async function finishJob(
  pool: pg.Pool,
  { jobId, runner }: JobRun,
  kind: JobName,
  { state, error }: JobEnd,
): Promise<void> {
  const payload = { job_id: jobId, kind, state };
  const event = outboxRow('hub.v1.job.finished', `job ${jobId}`, payload, undefined);
  await pool.query(finishSql, [jobId, runner, state, error, JSON.stringify([event])]);
}

/** Asks a job to end; answers what it is, also when it had ended before; undefined when there is none. */
export async function requestCancel(pool: pg.Pool, jobId: number): Promise<Job | undefined> {
  const { rows } = await pool.query<Job>(
    `UPDATE job SET cancel_requested = cancel_requested OR state = 'running' WHERE id = $1 RETURNING ${columns}`,
    [jobId],
  );
  return rows[0];
}
