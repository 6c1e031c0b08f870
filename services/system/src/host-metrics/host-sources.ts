import { existsSync, type StatsFs, statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { cpus, freemem, loadavg, totalmem } from 'node:os';
import { dirname, resolve } from 'node:path';
import { findGpuProbe } from './gpu-percent.js';
import { type HostReading, toPercent, toUsage, type Usage } from './host-reading.js';
import type { Probe } from './limited.js';

/** What is asked of a machine, each by itself. */
export interface HostSources {
  readonly cpuPercent: Probe<number>;
  readonly cpuTemperature: Probe<number | null>;
  readonly memory: Probe<Usage>;
  readonly disk: Probe<Usage>;
  readonly gpuPercent: Probe<number | null>;
}

/** The package takes its share of memory, so it is loaded when the service runs already. */
const measures = () => import('systeminformation');

/** As `df` does, which leaves what is reserved for root out of the percentage. */
const diskUsage = ({ blocks, bfree, bavail, bsize }: StatsFs) =>
  toUsage(blocks * bsize, (blocks - bfree) * bsize, bavail * bsize);

/** A folder that is not made yet will be on the disk of the one above. */
function existingFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingFolder(dirname(path));
}

/** What can be said at once and without a probe; the load of the last minute stands for that of the moment. */
export function firstReading(dataDir: string): HostReading {
  const [load = 0] = loadavg();
  return {
    cpuPercent: toPercent((100 * load) / Math.max(cpus().length, 1)),
    cpuTemperature: null,
    memory: toUsage(totalmem(), totalmem() - freemem(), freemem()),
    disk: diskUsage(statfsSync(existingFolder(resolve(dataDir)))),
    gpuPercent: null,
  };
}

/** The sources of this host. */
export function hostSources(dataDir: string): HostSources {
  const folder = resolve(dataDir);
  return {
    cpuPercent: async () => toPercent((await (await measures()).currentLoad()).currentLoad),
    cpuTemperature: async () => (await (await measures()).cpuTemperature()).main,
    async memory() {
      const { total, active, available } = await (await measures()).mem();
      return toUsage(total, active, available);
    },
    disk: async () => diskUsage(await statfs(existingFolder(folder))),
    gpuPercent: findGpuProbe() ?? (async () => null),
  };
}
