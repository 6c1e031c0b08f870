import { hostname } from 'node:os';
import { createLoop } from '@birdhub/shared/async';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import { chooseEncoding, type Encoding, findMediaHardware } from './encoding.js';
import type { HostReading } from './host-reading.js';
import { addHostSample, type HostSample, sampleIntervalMs } from './host-samples.store.js';
import { firstReading, hostSources } from './host-sources.js';
import { createHostReader } from './read-host.js';

/** How the machine does, as last read. */
export interface HostMetrics {
  readonly encoding: Encoding;
  /** From memory, at once. */
  snapshot(): HostReading;
  close(): Promise<void>;
}

/** What a sampler works with. */
export interface HostSampling {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Logger;
  readonly host: string;
  readonly first: HostReading;
  readonly read: () => Promise<HostReading>;
  /** Pause between two readings. */
  readonly pauseMs: number;
}

const pauseMs = 10_000;

const minuteOf = (at: number) => Math.floor(at / sampleIntervalMs);

function toSample(at: number, reading: HostReading): HostSample {
  const { cpuPercent, memory, disk, gpuPercent } = reading;
  return { at, cpu: cpuPercent, memory: memory.percent, disk: disk.percent, gpu: gpuPercent };
}

/** The most of both, so that a short peak within a minute is not lost. */
function mostOf(earlier: HostSample | undefined, sample: HostSample): HostSample {
  if (!earlier) return sample;
  return {
    at: earlier.at,
    cpu: Math.max(earlier.cpu, sample.cpu),
    memory: Math.max(earlier.memory, sample.memory),
    disk: Math.max(earlier.disk, sample.disk),
    gpu: sample.gpu === null ? earlier.gpu : Math.max(earlier.gpu ?? 0, sample.gpu),
  };
}

/** Reads in the background until closed, and keeps a row for each minute that is over. */
export function startSampling(options: HostSampling): Pick<HostMetrics, 'snapshot' | 'close'> {
  const { pool, clock, log, host, first, read } = options;
  let reading = first;
  let minute: HostSample | undefined;

  async function keep(sample: HostSample): Promise<void> {
    try {
      await addHostSample(pool, host, sample);
    } catch (error) {
      log.warn({ err: error }, 'host sample not kept');
    }
  }

  async function sample(): Promise<void> {
    reading = await read();
    const taken = toSample(clock.now(), reading);
    if (minute && minuteOf(minute.at) !== minuteOf(taken.at)) {
      await keep(minute);
      minute = undefined;
    }
    minute = mostOf(minute, taken);
  }

  const loop = createLoop({
    work: sample,
    everyMs: options.pauseMs,
    onError: (error) => log.warn({ err: error }, 'host not measured'),
  });
  loop.start();
  return {
    snapshot: () => reading,
    async close() {
      await loop.stop();
      if (minute) await keep(minute);
    },
  };
}

/** The metrics of this host, with a history in the database. */
export function openHostMetrics(
  parts: Pick<HostSampling, 'pool' | 'clock' | 'log'> & { readonly dataDir: string },
): HostMetrics {
  const first = firstReading(parts.dataDir);
  const read = createHostReader(hostSources(parts.dataDir), first, parts.log);
  const sampling = startSampling({ ...parts, host: hostname(), first, read, pauseMs });
  return { encoding: chooseEncoding(findMediaHardware()), ...sampling };
}
