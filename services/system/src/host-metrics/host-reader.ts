import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, type StatsFs, statfsSync } from 'node:fs';
import { readFile, statfs } from 'node:fs/promises';
import { cpus, freemem, loadavg, totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from 'pino';

/** Usage in bytes, and in percent of the usable total. */
export interface Usage {
  readonly totalBytes: number;
  readonly usedBytes: number;
  readonly percent: number;
}

/** The state of the host; percentages are 0 to 100, null when unknown. */
export interface HostReading {
  readonly cpuPercent: number;
  /** °C */
  readonly cpuTemperature: number | null;
  readonly memory: Usage;
  /** The disk that holds the data folder. */
  readonly disk: Usage;
  readonly gpuPercent: number | null;
}

/** Measures a property of the host. */
type Probe<T> = () => Promise<T>;

/** The probes of a host. */
export interface HostProbes {
  readonly cpuPercent: Probe<number>;
  readonly cpuTemperature: Probe<number | null>;
  readonly memory: Probe<Usage>;
  readonly disk: Probe<Usage>;
  readonly gpuPercent: Probe<number | null>;
}

/** Name of a probe in the log, and its timeout. */
interface ProbeLimit {
  readonly name: string;
  readonly timeoutMs: number;
  readonly log: Logger;
}

/** The command that queries the NVIDIA driver; replaced in tests. */
export interface GpuTool {
  readonly command: string;
  readonly args: readonly string[];
}

/** The file of a GPU's load, and its value at full load. */
interface LoadFile {
  readonly file: string;
  readonly full: number;
}

const timeoutMs = 3_000;
const toolTimeoutMs = 2_000;

const jetsonFiles = ['sys/devices/gpu.0/load', 'sys/devices/platform/gpu.0/load'];
const drm = 'sys/class/drm';

const nvidiaSmi: GpuTool = {
  command: 'nvidia-smi',
  args: ['--query-gpu=utilization.gpu', '--format=csv,noheader,nounits'],
};

/**
 * Creates a reader of the host. When a probe times out, load and usage keep their last value; other values become null.
 */
export function createHostReader(
  probes: HostProbes,
  first: HostReading,
  log: Logger,
): () => Promise<HostReading> {
  const limit = <T>(name: keyof HostProbes, probe: Probe<T>) => withTimeout(probe, { name, timeoutMs, log });
  const cpuPercent = limit('cpuPercent', probes.cpuPercent);
  const cpuTemperature = limit('cpuTemperature', probes.cpuTemperature);
  const memory = limit('memory', probes.memory);
  const disk = limit('disk', probes.disk);
  const gpuPercent = limit('gpuPercent', probes.gpuPercent);
  let last = first;

  return async () => {
    const [cpu, temperature, ram, data, gpu] = await Promise.all([
      cpuPercent(),
      cpuTemperature(),
      memory(),
      disk(),
      gpuPercent(),
    ]);
    last = {
      cpuPercent: cpu ?? last.cpuPercent,
      cpuTemperature: temperature ?? null,
      memory: ram ?? last.memory,
      disk: data ?? last.disk,
      gpuPercent: gpu ?? null,
    };
    return last;
  };
}

/** Returns a reading without probes; CPU usage is derived from the load average of the last minute. */
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

/** Returns the probes of this host. */
export function hostProbes(dataDir: string): HostProbes {
  const folder = resolve(dataDir);
  return {
    cpuPercent: async () => toPercent((await (await systeminformation()).currentLoad()).currentLoad),
    cpuTemperature: async () => (await (await systeminformation()).cpuTemperature()).main,
    async memory() {
      const { total, active, available } = await (await systeminformation()).mem();
      return toUsage(total, active, available);
    },
    disk: async () => diskUsage(await statfs(existingFolder(folder))),
    gpuPercent: findGpuProbe() ?? (async () => null),
  };
}

/**
 * Returns a probe that resolves to undefined on failure or timeout. It is not started again while an earlier run hangs,
 * to avoid piling up processes.
 */
function withTimeout<T>(probe: Probe<T>, { name, timeoutMs, log }: ProbeLimit): Probe<T | undefined> {
  let isRunning = false;

  async function run(): Promise<T | undefined> {
    isRunning = true;
    try {
      return await probe();
    } catch (error) {
      log.debug({ err: error, probe: name }, 'host probe failed');
      return undefined;
    } finally {
      isRunning = false;
    }
  }

  return async () => {
    if (isRunning) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => {
        log.debug({ probe: name, timeout_ms: timeoutMs }, 'host probe timed out');
        resolve(undefined);
      }, timeoutMs);
    });
    return Promise.race([run(), timeout]).finally(() => clearTimeout(timer));
  };
}

/** Returns a probe of the GPU's load; undefined when no GPU reports it. */
export function findGpuProbe(root = '/', tool = nvidiaSmi): Probe<number> | undefined {
  if (existsSync(join(root, 'dev/nvidia0'))) {
    const run = promisify(execFile);
    return async () => {
      const options = { timeout: toolTimeoutMs, killSignal: 'SIGKILL' } as const;
      return maxLoad((await run(tool.command, [...tool.args], options)).stdout);
    };
  }
  const found = findLoadFile(root);
  return found && (async () => toPercent((100 * Number(await readFile(found.file, 'utf8'))) / found.full));
}

function findLoadFile(root: string): LoadFile | undefined {
  const cards = existsSync(join(root, drm)) ? readdirSync(join(root, drm)) : [];
  const candidates = [
    ...cards
      .filter((name) => /^card\d+$/.test(name))
      .map((name) => ({ file: join(root, drm, name, 'device/gpu_busy_percent'), full: 100 })),
    ...jetsonFiles.map((file) => ({ file: join(root, file), full: 1_000 })),
  ];
  return candidates.find(({ file }) => existsSync(file));
}

/** Returns the maximum of output such as `12\n7\n`, a line per card. */
function maxLoad(output: string): number {
  const loads = output.split('\n').filter(Boolean).map(Number);
  return toPercent(Math.max(...loads));
}

/** Loads the package on demand, to save memory at the start. */
function systeminformation() {
  return import('systeminformation');
}

/** Like `df`, excludes blocks reserved for root from the percentage. */
function diskUsage({ blocks, bfree, bavail, bsize }: StatsFs): Usage {
  return toUsage(blocks * bsize, (blocks - bfree) * bsize, bavail * bsize);
}

/** Returns the nearest existing parent folder, which is on the same disk. */
function existingFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingFolder(dirname(path));
}

function toUsage(totalBytes: number, usedBytes: number, freeBytes: number): Usage {
  const percent = toPercent((100 * usedBytes) / Math.max(usedBytes + freeBytes, 1));
  return { totalBytes, usedBytes, percent };
}

/** Returns a percentage of 0 to 100 with one decimal. */
function toPercent(share: number): number {
  return Math.round(Math.min(Math.max(share, 0), 100) * 10) / 10;
}

/** Kinds of hardware for encoding video. */
export const encodings = ['cpu', 'intel', 'nvidia', 'jetson', 'v4l2'] as const;

/** One of {@link encodings}. */
export type Encoding = (typeof encodings)[number];

/** Hardware of a host for encoding video. */
export interface MediaHardware {
  readonly isJetson: boolean;
  readonly hasNvidia: boolean;
  /** PCI vendors of render devices, such as `0x8086`. */
  readonly renderVendors: readonly string[];
  /** Names of the V4L2 devices. */
  readonly videoDevices: readonly string[];
}

const intel = '0x8086';

/** Returns the best encoding of the hardware, as a hint for processors, whose ffmpeg may not support it. */
export function chooseEncoding(hardware: MediaHardware): Encoding {
  if (hardware.isJetson) return 'jetson';
  if (hardware.hasNvidia) return 'nvidia';
  if (hardware.renderVendors.includes(intel)) return 'intel';
  // Cameras are V4L2 devices, too.
  return hardware.videoDevices.some((name) => /codec|enc/i.test(name)) ? 'v4l2' : 'cpu';
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function textsOf(files: readonly string[]): string[] {
  return files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8').trim());
}

/** Finds the hardware in `/dev` and `/sys` below a root. */
export function findMediaHardware(root = '/'): MediaHardware {
  const devices = namesIn(join(root, 'dev'));
  const renders = namesIn(join(root, 'dev/dri')).filter((name) => name.startsWith('renderD'));
  const videos = join(root, 'sys/class/video4linux');
  return {
    isJetson: existsSync(join(root, 'etc/nv_tegra_release')) || devices.includes('nvhost-msenc'),
    hasNvidia: devices.includes('nvidia0'),
    renderVendors: textsOf(renders.map((name) => join(root, 'sys/class/drm', name, 'device/vendor'))),
    videoDevices: textsOf(namesIn(videos).map((name) => join(videos, name, 'name'))),
  };
}
