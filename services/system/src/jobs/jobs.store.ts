import type { PrismaClient, Row } from '@birdhub/shared/db';
import type pg from 'pg';
import type { Job, JobName, JobParameters } from './job.js';

/** Columns of text and JSON hold what this service alone writes. */
export const toJob = (row: Row<'Job'>) => row as unknown as Job;

/** SQL: recordings that a job is about; those whose files were cleared have nothing to work on. */
export const isMeant = `
  media <> 'purged' AND ($1::jsonb ->> 'from' IS NULL OR start_time >= ($1::jsonb ->> 'from')::timestamptz)
    AND ($1::jsonb ->> 'to' IS NULL OR start_time < ($1::jsonb ->> 'to')::timestamptz)
    AND ($1::jsonb -> 'videoIds' = 'null' OR id = ANY (
      SELECT jsonb_array_elements_text(nullif($1::jsonb -> 'videoIds', 'null'))::bigint))`;

const countSql = `SELECT count(*) AS total FROM video WHERE ${isMeant}`;

/** Only of jobs that name recordings it is known at the start how many there are. */
async function countItems(pool: pg.Pool, parameters: JobParameters): Promise<number> {
  if (!('videoIds' in parameters)) return 0;
  const { rows } = await pool.query<{ total: number }>(countSql, [JSON.stringify(parameters)]);
  return rows[0]?.total ?? 0;
}

/** Starts a job; undefined while one of its kind is running. */
export async function addJob(
  { pool, prisma }: { readonly pool: pg.Pool; readonly prisma: PrismaClient },
  kind: JobName,
  parameters: JobParameters,
): Promise<Job | undefined> {
  const total = await countItems(pool, parameters);
  const data = { kind, parameters: { ...parameters }, total };
  const [job] = await prisma.job.createManyAndReturn({ data, skipDuplicates: true });
  return job && toJob(job);
}

/** Undefined when there is none. */
export async function findJob(prisma: PrismaClient, jobId: number): Promise<Job | undefined> {
  const job = await prisma.job.findUnique({ where: { id: jobId } });
  return job ? toJob(job) : undefined;
}

/** The newest job of a kind; undefined when there never was one. */
export async function findLatest(prisma: PrismaClient, kind: JobName): Promise<Job | undefined> {
  const job = await prisma.job.findFirst({ where: { kind }, orderBy: { id: 'desc' } });
  return job ? toJob(job) : undefined;
}

/** What the running job of a kind was asked for; undefined when none is running. SQL, as a hub at rest asks often. */
export async function findRunning(pool: pg.Pool, kind: JobName): Promise<JobParameters | undefined> {
  const { rows } = await pool.query<{ parameters: JobParameters }>(
    `SELECT parameters FROM job WHERE kind = $1 AND state = 'running'`,
    [kind],
  );
  return rows[0]?.parameters;
}

/** Jobs, the newest first. */
export async function listJobs(prisma: PrismaClient, limit: number): Promise<Job[]> {
  return (await prisma.job.findMany({ orderBy: { id: 'desc' }, take: limit })).map(toJob);
}

/** Asks a job to end; returns what it is, also when it had ended before; undefined when there is none. */
export async function requestCancel(prisma: PrismaClient, jobId: number): Promise<Job | undefined> {
  const [job] = await prisma.job.updateManyAndReturn({
    where: { id: jobId, state: 'running' },
    data: { cancelRequested: true },
  });
  return job ? toJob(job) : findJob(prisma, jobId);
}
