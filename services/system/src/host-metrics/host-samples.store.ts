import type pg from 'pg';

/** How the machine did in a minute, the most of each in percent; `gpu` null where none tells. */
export interface HostSample {
  /** ms since the epoch */
  readonly at: number;
  readonly cpu: number;
  readonly memory: number;
  readonly disk: number;
  readonly gpu: number | null;
}

/** Least time between two rows. */
export const sampleIntervalMs = 60_000;

/** How long rows are kept. */
export const retentionHours = 30 * 24;

/**
 * The history is of one machine: services on the same host share the row of a minute, and another host adds none
 * while the first has written in the last two minutes.
 */
const addSql = `
  WITH expired AS (
    DELETE FROM host_sample WHERE sampled_at < $1::timestamptz - ${retentionHours} * interval '1 hour'
  )
  INSERT INTO host_sample (sampled_at, host, cpu, memory, disk, gpu)
  SELECT date_trunc('minute', $1::timestamptz), $2, $3, $4, $5, $6
  WHERE NOT EXISTS (
    SELECT FROM host_sample WHERE sampled_at > $1::timestamptz - interval '2 minutes' AND host <> $2
  )
  ON CONFLICT DO NOTHING`;

/** Keeps the sample of a minute, unless there is one already, and drops what is too old. */
export async function addHostSample(pool: pg.Pool, host: string, sample: HostSample): Promise<void> {
  const { at, cpu, memory, disk, gpu } = sample;
  await pool.query({
    name: 'add-host-sample',
    text: addSql,
    values: [new Date(at).toISOString(), host, cpu, memory, disk, gpu],
  });
}

const listSql = `
  SELECT extract(epoch FROM sampled_at)::float8 * 1000 AS at, cpu, memory, disk, gpu
  FROM host_sample WHERE sampled_at >= $1 ORDER BY sampled_at`;

/** All samples since an instant in ms, oldest first. */
export async function listHostSamples(pool: pg.Pool, since: number): Promise<HostSample[]> {
  const values = [new Date(since).toISOString()];
  return (await pool.query<HostSample>({ name: 'host-samples', text: listSql, values })).rows;
}
