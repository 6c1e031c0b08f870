import { hostname } from 'node:os';
import { createLoop } from '@birdhub/shared/async';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import { chooseEncoding, type Encoding, findMediaHardware } from './encoding.js';
import { addHostSample, type HostSample, sampleIntervalMs } from './host-history.js';
import { createHostReader, firstReading, type HostReading, hostProbes } from './host-reader.js';

/** Metrics of the host, as last read. */
export interface HostMetrics {
  readonly encoding: Encoding;
  /** Returns the last reading from memory. */
  snapshot(): HostReading;
  close(): Promise<void>;
}

/** What a sampler needs. */
export interface HostSamplerDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Logger;
  readonly host: string;
  readonly first: HostReading;
  readonly read: () => Promise<HostReading>;
  /** Time between two readings. */
  readonly intervalMs: number;
}

const intervalMs = 10_000;

const minuteOf = (at: number) => Math.floor(at / sampleIntervalMs);

function toSample(at: number, reading: HostReading): HostSample {
  const { cpuPercent, memory, disk, gpuPercent } = reading;
  return { at, cpu: cpuPercent, memory: memory.percent, disk: disk.percent, gpu: gpuPercent };
}

/** Returns the maxima of both, so that a short peak within a minute is not lost. */
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

/** Starts to read the host in the background, and stores a row after each minute. */
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
    onError: (error) => log.warn({ err: error }, 'host not measured'),
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
