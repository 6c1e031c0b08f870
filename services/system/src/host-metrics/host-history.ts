import { hostname } from 'node:os';
import { createLoop } from '@birdhub/shared/async';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import {
  chooseEncoding,
  createHostReader,
  type Encoding,
  findMediaHardware,
  firstReading,
  type HostReading,
  hostProbes,
} from './host-reader.js';

/** The metrics of the host. */
export interface HostMetrics {
  readonly encoding: Encoding;
  /** Returns the last reading. */
  snapshot(): HostReading;
  close(): Promise<void>;
}

/** Dependencies of a sampler. */
export interface HostSamplerDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Logger;
  readonly host: string;
  readonly first: HostReading;
  readonly read: () => Promise<HostReading>;
  /** Interval of readings. */
  readonly intervalMs: number;
}

const intervalMs = 10_000;

const minuteOf = (at: number) => Math.floor(at / sampleIntervalMs);

function toSample(at: number, reading: HostReading): HostSample {
  const { cpuPercent, memory, disk, gpuPercent } = reading;
  return { at, cpu: cpuPercent, memory: memory.percent, disk: disk.percent, gpu: gpuPercent };
}

/** Returns the maxima of two samples, so that short peaks are not lost. */
function maxOf(earlier: HostSample | undefined, sample: HostSample): HostSample {
  if (!earlier) return sample;
  return {
    at: earlier.at,
    cpu: Math.max(earlier.cpu, sample.cpu),
    memory: Math.max(earlier.memory, sample.memory),
    disk: Math.max(earlier.disk, sample.disk),
    gpu: sample.gpu === null ? earlier.gpu : Math.max(earlier.gpu ?? 0, sample.gpu),
  };
}

/** Starts to read the host in the background, and stores a row each minute. */
export function startSampling(options: HostSamplerDeps): Pick<HostMetrics, 'snapshot' | 'close'> {
  const { pool, clock, log, host, first, read } = options;
  let reading = first;
  let minute: HostSample | undefined;

  async function store(sample: HostSample): Promise<void> {
    try {
      await addHostSample(pool, host, sample);
    } catch (error) {
      log.warn({ err: error }, 'host sample not stored');
    }
  }

  async function sample(): Promise<void> {
    reading = await read();
    const taken = toSample(clock.now(), reading);
    if (minute && minuteOf(minute.at) !== minuteOf(taken.at)) {
      await store(minute);
      minute = undefined;
    }
    minute = maxOf(minute, taken);
  }

  const loop = createLoop({
    work: sample,
    everyMs: options.intervalMs,
    onError: (error) => log.warn({ err: error }, 'host metrics not sampled'),
  });
  loop.start();
  return {
    snapshot: () => reading,
    async close() {
      await loop.stop();
      if (minute) await store(minute);
    },
  };
}

/** Starts the metrics of this host, with a history in the database. */
export function startHostMetrics(
  deps: Pick<HostSamplerDeps, 'pool' | 'clock' | 'log'> & { readonly dataDir: string },
): HostMetrics {
  const first = firstReading(deps.dataDir);
  const read = createHostReader(hostProbes(deps.dataDir), first, deps.log);
  const sampling = startSampling({ ...deps, host: hostname(), first, read, intervalMs });
  return { encoding: chooseEncoding(findMediaHardware()), ...sampling };
}

/** The maxima of a minute in percent; `gpu` is null when unknown. */
export interface HostSample {
  /** ms since the epoch */
  readonly at: number;
  readonly cpu: number;
  readonly memory: number;
  readonly disk: number;
  readonly gpu: number | null;
}

/** Interval of rows. */
export const sampleIntervalMs = 60_000;

/** Retention of rows. */
export const retentionHours = 30 * 24;

/**
 * The history covers one machine: services on the same host share the row of a minute, and another host only adds rows
 * when the first has not written for two minutes.
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

const listSql = `
  SELECT extract(epoch FROM sampled_at)::float8 * 1000 AS at, cpu, memory, disk, gpu
  FROM host_sample WHERE sampled_at >= $1 ORDER BY sampled_at`;

const series = ['cpu', 'memory', 'disk', 'gpu'] as const;

/** Minimum and maximum of each series. */
const maxKeptPerBucket = 2 * series.length;
const bucketFactor = 0.8;

/** Stores the sample of a minute, unless it exists, and deletes expired ones. */
export async function addHostSample(pool: pg.Pool, host: string, sample: HostSample): Promise<void> {
  const { at, cpu, memory, disk, gpu } = sample;
  await pool.query({
    name: 'add-host-sample',
    text: addSql,
    values: [new Date(at).toISOString(), host, cpu, memory, disk, gpu],
  });
}

/** Returns all samples since an instant in ms, oldest first. */
export async function listHostSamples(pool: pg.Pool, since: number): Promise<HostSample[]> {
  const values = [new Date(since).toISOString()];
  return (await pool.query<HostSample>({ name: 'host-samples', text: listSql, values })).rows;
}

/**
 * Downsamples to at most `maxPoints` (10 or more) for charts: keeps both ends, and the minimum and maximum of each
 * series in as many buckets as fit.
 */
export function downsample(samples: readonly HostSample[], maxPoints: number): HostSample[] {
  if (samples.length <= maxPoints) return [...samples];
  const minBuckets = Math.floor((maxPoints - 2) / maxKeptPerBucket);
  // Several series often share a sample, so more buckets may fit.
  let buckets = maxPoints;
  let kept = selectExtremes(samples, buckets);
  while (kept.size > maxPoints) {
    buckets = Math.max(minBuckets, Math.floor(buckets * bucketFactor));
    kept = selectExtremes(samples, buckets);
  }
  return samples.filter((_, index) => kept.has(index));
}

function selectExtremes(samples: readonly HostSample[], buckets: number): Set<number> {
  const kept = new Set([0, samples.length - 1]);
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    const from = Math.floor((bucket * samples.length) / buckets);
    const to = Math.floor(((bucket + 1) * samples.length) / buckets);
    for (const index of extremesOf(samples, from, to)) kept.add(index);
  }
  return kept;
}

function extremesOf(samples: readonly HostSample[], from: number, to: number): number[] {
  return series.flatMap((name) => {
    let min = -1;
    let max = -1;
    for (let index = from; index < to; index += 1) {
      const value = samples[index]?.[name] ?? null;
      if (value === null) continue;
      if (min < 0 || value < (samples[min]?.[name] ?? 0)) min = index;
      if (max < 0 || value > (samples[max]?.[name] ?? 0)) max = index;
    }
    return max < 0 ? [] : [min, max];
  });
}
