import { isTaken, type PrismaClient, type Row } from '@birdhub/shared/db';
import type { Sentence } from '@birdhub/shared/errors';
import { type CommitDeps, commit, outboxRow } from '@birdhub/shared/outbox';
import type pg from 'pg';
import type { Checkpoint, ItemResult, Job, JobName, JobParameters, JobProgress, JobResult } from './job.js';
import { toJobFailure } from './job-problems.js';

/** Only this service writes the text and JSON columns, so their types are known. */
const toJob = (row: Row<'Job'>) => row as unknown as Job;

/** SQL condition: recordings with a file that match a job's filter in `$1`. */
const matchesFilterSql = `
  media NOT IN ('purged', 'none') AND ($1::jsonb ->> 'from' IS NULL OR start_time >= ($1::jsonb ->> 'from')::timestamptz)
    AND ($1::jsonb ->> 'to' IS NULL OR start_time < ($1::jsonb ->> 'to')::timestamptz)
    AND ($1::jsonb -> 'videoIds' = 'null' OR id = ANY (
      SELECT jsonb_array_elements_text(nullif($1::jsonb -> 'videoIds', 'null'))::bigint))`;

const countSql = `SELECT count(*) AS total FROM video WHERE ${matchesFilterSql}`;

/** Returns 0 for jobs without a filter, whose total becomes known only while they run. */
async function countMatching(pool: pg.Pool, parameters: JobParameters): Promise<number> {
  if (!('videoIds' in parameters)) return 0;
  const { rows } = await pool.query<{ total: number }>(countSql, [JSON.stringify(parameters)]);
  return rows[0]?.total ?? 0;
}

/** Adds a running job. Returns undefined when one of its kind is running. */
export async function addJob(
  { pool, prisma }: { readonly pool: pg.Pool; readonly prisma: PrismaClient },
  kind: JobName,
  parameters: JobParameters,
): Promise<Job | undefined> {
  const total = await countMatching(pool, parameters);
  const data = { kind, parameters: { ...parameters }, total };
  const [job] = await prisma.job.createManyAndReturn({ data, skipDuplicates: true });
  return job && toJob(job);
}

/** Returns undefined when there is no such job. */
export async function findJob(prisma: PrismaClient, jobId: number): Promise<Job | undefined> {
  const job = await prisma.job.findUnique({ where: { id: jobId } });
  return job ? toJob(job) : undefined;
}

/** Returns the newest job of a kind, or undefined when there is none. */
export async function findLatest(prisma: PrismaClient, kind: JobName): Promise<Job | undefined> {
  const job = await prisma.job.findFirst({ where: { kind }, orderBy: { id: 'desc' } });
  return job ? toJob(job) : undefined;
}

/** Returns the parameters of the running job of a kind, if any. Plain SQL, because even an idle hub polls it. */
export async function findRunning(pool: pg.Pool, kind: JobName): Promise<JobParameters | undefined> {
  const { rows } = await pool.query<{ parameters: JobParameters }>(
    `SELECT parameters FROM job WHERE kind = $1 AND state = 'running'`,
    [kind],
  );
  return rows[0]?.parameters;
}

/** Returns jobs, newest first; of one kind, or of all. */
export async function listJobs(prisma: PrismaClient, limit: number, kind?: JobName): Promise<Job[]> {
  const where = kind === undefined ? {} : { kind };
  return (await prisma.job.findMany({ where, orderBy: { id: 'desc' }, take: limit })).map(toJob);
}

/** Requests the cancellation of a job. Returns the job, even if it has ended, or undefined when it does not exist. */
export async function requestCancel(prisma: PrismaClient, jobId: number): Promise<Job | undefined> {
  const [job] = await prisma.job.updateManyAndReturn({
    where: { id: jobId, state: 'running' },
    data: { cancelRequested: true },
  });
  return job ? toJob(job) : findJob(prisma, jobId);
}

/** Pauses a running job and revokes the lease of its runner. Returns whether it was running. */
export async function pauseJob(prisma: PrismaClient, jobId: number): Promise<boolean> {
  const { count } = await prisma.job.updateMany({
    where: { id: jobId, state: 'running', cancelRequested: false },
    data: { state: 'paused', runner: 'none' },
  });
  return count > 0;
}

/** Resumes a paused job. Returns false while another job of its kind is running. */
export async function resumeJob(prisma: PrismaClient, jobId: number): Promise<boolean> {
  try {
    await prisma.job.updateMany({ where: { id: jobId, state: 'paused' }, data: { state: 'running' } });
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
}

/** Ends a paused job, if it is still paused. */
export async function cancelPaused(deps: CommitDeps, { id, kind }: Job): Promise<void> {
  const payload = { job_id: id, kind, state: 'cancelled' as const };
  const event = outboxRow('hub.v1.job.finished', `job ${id}`, payload, undefined);
  await commit(deps, async ({ client, publish }) => {
    const { rowCount } = await client.query(
      `UPDATE job SET state = 'cancelled', finished_at = now(), runner = NULL WHERE id = $1 AND state = 'paused'`,
      [id],
    );
    if (rowCount) publish(event);
  });
}

/** Maximum number of failed items that are stored with a job. */
export const maxFailures = 100;

/** A job with a lease. */
export interface LeasedJob extends Job {
  /** Whether an earlier run was interrupted. */
  readonly isResumed: boolean;
}

/**
 * Leases the running job of a kind to a runner; the previous lease ends. Returns undefined when none is running.
 * The caller holds the lock of the kind.
 */
export async function leaseJob(
  prisma: PrismaClient,
  kind: JobName,
  runner: string,
): Promise<LeasedJob | undefined> {
  const running = await prisma.job.findFirst({ where: { kind, state: 'running' } });
  if (!running) return undefined;
  const { id, runner: previous } = running;
  const [job] = await prisma.job.updateManyAndReturn({ where: { id, state: 'running' }, data: { runner } });
  return job && { ...toJob(job), isResumed: previous !== null };
}

/** Returns the next recordings of a job after a position, by id. */
export async function listNextItems(
  pool: pg.Pool,
  { parameters }: Job,
  position: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `SELECT id FROM video WHERE ${matchesFilterSql} AND id > $2 ORDER BY id LIMIT $3`,
    [JSON.stringify(parameters), position, limit],
  );
  return rows.map((row) => row.id);
}

/** A job and the runner that holds its lease. Updates by a runner that has lost the lease have no effect. */
export interface JobLease {
  readonly jobId: number;
  readonly runner: string;
}

/** `lost` when another runner has taken over the job. */
export type LeaseStatus = 'held' | 'cancelled' | 'lost';

const isLeasedSql = `id = $1 AND runner = $2 AND state = 'running'`;

function leaseStatusOf(job: { readonly cancelRequested: boolean } | undefined): LeaseStatus {
  if (!job) return 'lost';
  return job.cancelRequested ? 'cancelled' : 'held';
}

const startItemSql = `
  UPDATE job SET current_video_id = $3 WHERE ${isLeasedSql} RETURNING cancel_requested AS "cancelRequested"`;

/** Records the current recording, and returns whether the job may continue. */
export async function startItem(
  pool: pg.Pool,
  { jobId, runner }: JobLease,
  videoId: number,
): Promise<LeaseStatus> {
  const { rows } = await pool.query<{ cancelRequested: boolean }>(startItemSql, [jobId, runner, videoId]);
  return leaseStatusOf(rows[0]);
}

/** Counts the result of a recording and advances the position of the job. */
export async function finishItem(
  pool: pg.Pool,
  { jobId, runner }: JobLease,
  videoId: number,
  result: ItemResult,
): Promise<void> {
  const { outcome } = result;
  const frames = (outcome === 'generated' && result.frames) || 0;
  const failures = outcome === 'failed' ? [toJobFailure({ video_id: videoId }, result.reason)] : [];
  await pool.query(
    `UPDATE job SET position = $3, processed = processed + 1, ${outcome} = ${outcome} + 1,
       frames_updated = frames_updated + $4,
       failures = CASE WHEN jsonb_array_length(failures) < $6 THEN failures || $5::jsonb ELSE failures END
     WHERE ${isLeasedSql}`,
    [jobId, runner, videoId, frames, JSON.stringify(failures), maxFailures],
  );
}

/** Saves the progress of a task, and returns whether the job may continue. */
export async function saveProgress(
  prisma: PrismaClient,
  { jobId, runner }: JobLease,
  { total, processed, generated, failed, skipped, failures }: JobProgress,
  reached?: { readonly checkpoint: Checkpoint; readonly result: JobResult },
): Promise<LeaseStatus> {
  const [job] = await prisma.job.updateManyAndReturn({
    where: { id: jobId, runner, state: 'running' },
    data: {
      total,
      processed,
      generated,
      failed,
      skipped,
      failures: JSON.parse(JSON.stringify(failures)),
      ...(reached && {
        checkpoint: JSON.parse(JSON.stringify(reached.checkpoint)),
        result: JSON.parse(JSON.stringify(reached.result)),
      }),
    },
    select: { cancelRequested: true },
  });
  return leaseStatusOf(job);
}

const finishSql = `
  UPDATE job SET state = $3, error = $4, finished_at = now(), current_video_id = NULL, runner = NULL,
    result = CASE WHEN $6::jsonb IS NULL THEN coalesce($5, result)
      ELSE coalesce(result, '{}') || jsonb_build_object('failure', $6::jsonb) END
  WHERE ${isLeasedSql} RETURNING extract(epoch FROM finished_at - started_at)::float8 AS seconds`;

/** The final state of a job, with the error if it failed. */
export interface JobEnd {
  readonly state: Exclude<Job['state'], 'running' | 'paused'>;
  readonly error: string | null;
  /** The error for translation; stored in the result. */
  readonly failure?: readonly Sentence[];
  readonly result?: JobResult;
}

/**
 * Ends a job and publishes `job.finished`. Returns its duration in seconds, or undefined when the lease is lost.
 */
export async function finishJob(
  deps: CommitDeps,
  { jobId, runner }: JobLease,
  kind: JobName,
  { state, error, failure, result }: JobEnd,
): Promise<number | undefined> {
  const event = outboxRow('hub.v1.job.finished', `job ${jobId}`, { job_id: jobId, kind, state }, undefined);
  const values = [
    jobId,
    runner,
    state,
    error,
    result && JSON.stringify(result),
    failure && JSON.stringify(failure),
  ];
  return commit(deps, async ({ client, publish }) => {
    const { rows } = await client.query<{ seconds: number }>(finishSql, values);
    if (rows.length) publish(event);
    return rows[0]?.seconds;
  });
}
