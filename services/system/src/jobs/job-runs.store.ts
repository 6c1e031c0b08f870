import type { PrismaClient } from '@birdhub/shared/db';
import { insertOutbox, outboxRow } from '@birdhub/shared/outbox';
import type pg from 'pg';
import type { ItemResult, Job, JobCounts, JobName, JobResult } from './job.js';
import { isMeant, toJob } from './jobs.store.js';

/** As many of the items that a job could do nothing with are kept. */
export const maxFailures = 100;

/** A job that somebody has taken. */
export interface TakenJob extends Job {
  /** Whether somebody worked on it before. */
  readonly isResumed: boolean;
}

/**
 * Makes a runner the one of the running job of a kind, in place of one that is gone; undefined when none is running.
 * The caller holds the lock of the kind.
 */
export async function takeJob(
  prisma: PrismaClient,
  kind: JobName,
  runner: string,
): Promise<TakenJob | undefined> {
  const running = await prisma.job.findFirst({ where: { kind, state: 'running' } });
  if (!running) return undefined;
  const { id, runner: previous } = running;
  const [job] = await prisma.job.updateManyAndReturn({ where: { id, state: 'running' }, data: { runner } });
  return job && { ...toJob(job), isResumed: previous !== null };
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

function turnOf(job: { readonly cancelRequested: boolean } | undefined): Turn {
  if (!job) return 'lost';
  return job.cancelRequested ? 'cancelled' : 'go';
}

const beginSql = `
  UPDATE job SET current_video_id = $3 WHERE ${isOurs} RETURNING cancel_requested AS "cancelRequested"`;

/** Says which recording comes next, and whether to go on with it. */
export async function beginItem(pool: pg.Pool, { jobId, runner }: JobRun, videoId: number): Promise<Turn> {
  const { rows } = await pool.query<{ cancelRequested: boolean }>(beginSql, [jobId, runner, videoId]);
  return turnOf(rows[0]);
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
    [jobId, runner, videoId, frames, JSON.stringify(failures), maxFailures],
  );
}

/** Writes down how far a whole job is, and returns whether to go on with it. */
export async function saveCounts(
  prisma: PrismaClient,
  { jobId, runner }: JobRun,
  { total, processed, generated, failed, skipped, failures }: JobCounts,
): Promise<Turn> {
  const [job] = await prisma.job.updateManyAndReturn({
    where: { id: jobId, runner, state: 'running' },
    data: {
      total,
      processed,
      generated,
      failed,
      skipped,
      failures: failures.map((failure) => ({ ...failure })),
    },
    select: { cancelRequested: true },
  });
  return turnOf(job);
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
