import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toPercent } from './host-reading.js';
import type { Probe } from './limited.js';

/** Where a driver tells how busy its GPU is, and what full use reads. */
interface LoadFile {
  readonly file: string;
  readonly full: number;
}

const jetsonFiles = ['sys/devices/gpu.0/load', 'sys/devices/platform/gpu.0/load'];
const drm = 'sys/class/drm';

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

/** The busiest of several cards, of output such as `12\n7\n`. */
function busiest(output: string): number {
  const loads = output.split('\n').filter(Boolean).map(Number);
  return toPercent(Math.max(...loads));
}

/** The command that asks the NVIDIA driver; replaced in tests. */
export interface GpuTool {
  readonly command: string;
  readonly args: readonly string[];
}

const nvidiaSmi: GpuTool = {
  command: 'nvidia-smi',
  args: ['--query-gpu=utilization.gpu', '--format=csv,noheader,nounits'],
};

const toolTimeoutMs = 2_000;

/** How to ask the GPU of this host how busy it is; undefined when there is none that tells. */
export function findGpuProbe(root = '/', tool = nvidiaSmi): Probe<number> | undefined {
  if (existsSync(join(root, 'dev/nvidia0'))) {
    const run = promisify(execFile);
    return async () => {
      const options = { timeout: toolTimeoutMs, killSignal: 'SIGKILL' } as const;
      return busiest((await run(tool.command, [...tool.args], options)).stdout);
    };
  }
  const found = findLoadFile(root);
  return found && (async () => toPercent((100 * Number(await readFile(found.file, 'utf8'))) / found.full));
}
