import { insertOutbox, outboxRow } from '@birdhub/shared/outbox';
import type pg from 'pg';
import type { ItemResult, Job, JobCounts, JobName, JobResult } from './job.js';
import { isMeant, jobColumns } from './jobs.store.js';

/** As many of the items that a job could do nothing with are kept. */
export const mostFailures = 100;

/** A job that somebody has taken. */
export interface TakenJob extends Job {
  /** Whether somebody worked on it before. */
  readonly isResumed: boolean;
}

const takeSql = `
  UPDATE job SET runner = $2 FROM job AS before
  WHERE before.id = job.id AND job.kind = $1 AND job.state = 'running'
  RETURNING ${jobColumns}, before.runner IS NOT NULL AS "isResumed"`;

/** Makes a runner the one of the running job of a kind, in place of one that is gone; undefined when none is running. */
export async function takeJob(pool: pg.Pool, kind: JobName, runner: string): Promise<TakenJob | undefined> {
  const { rows } = await pool.query<TakenJob>(takeSql, [kind, runner]);
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

/** Whether to go on with a job; `lost` when another runner has taken it over. */
export type Turn = 'go' | 'cancelled' | 'lost';

const isOurs = `id = $1 AND runner = $2 AND state = 'running'`;

async function takeTurn(pool: pg.Pool, change: string, values: unknown[]): Promise<Turn> {
  const { rows } = await pool.query<{ cancel_requested: boolean }>(
    `UPDATE job SET ${change} WHERE ${isOurs} RETURNING cancel_requested`,
    values,
  );
  if (!rows[0]) return 'lost';
  return rows[0].cancel_requested ? 'cancelled' : 'go';
}

/** Says which recording comes next, and whether to go on with it. */
export function beginItem(pool: pg.Pool, { jobId, runner }: JobRun, videoId: number): Promise<Turn> {
  return takeTurn(pool, 'current_video_id = $3', [jobId, runner, videoId]);
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
    `UPDATE job SET position = $3, processed = processed + 1, ${outcome} = ${outcome} + 1,
       frames_updated = frames_updated + $4,
       failures = CASE WHEN jsonb_array_length(failures) < $6 THEN failures || $5::jsonb ELSE failures END
     WHERE ${isOurs}`,
    [jobId, runner, videoId, frames, JSON.stringify(failures), mostFailures],
  );
}

/** Writes down how far a whole job is, and answers whether to go on with it. */
export function saveCounts(pool: pg.Pool, { jobId, runner }: JobRun, counts: JobCounts): Promise<Turn> {
  const { total, processed, generated, failed, skipped, failures } = counts;
  const change = 'total = $3, processed = $4, generated = $5, failed = $6, skipped = $7, failures = $8';
  const numbers = [total, processed, generated, failed, skipped];
  return takeTurn(pool, change, [jobId, runner, ...numbers, JSON.stringify(failures)]);
}

const finishSql = `
  WITH finished AS (
    UPDATE job SET state = $3, error = $4, result = $6, finished_at = now(), current_video_id = NULL, runner = NULL
    WHERE ${isOurs} RETURNING id, started_at, finished_at),
  told AS (${insertOutbox('$5')} WHERE EXISTS (SELECT FROM finished))
  SELECT extract(epoch FROM finished_at - started_at)::float8 AS seconds FROM finished`;

/** How a job ended, and why it could not go on when that is so. */
export interface JobEnd {
  readonly state: Exclude<Job['state'], 'running'>;
  readonly error: string | null;
  readonly result?: JobResult;
}

/** Ends a job and tells of it; answers how long it took, in seconds, undefined when another has taken it over. */
export async function finishJob(
  pool: pg.Pool,
  { jobId, runner }: JobRun,
  kind: JobName,
  { state, error, result }: JobEnd,
): Promise<number | undefined> {
  const event = outboxRow('hub.v1.job.finished', `job ${jobId}`, { job_id: jobId, kind, state }, undefined);
  const values = [jobId, runner, state, error, JSON.stringify([event]), result && JSON.stringify(result)];
  const { rows } = await pool.query<{ seconds: number }>(finishSql, values);
  return rows[0]?.seconds;
}
