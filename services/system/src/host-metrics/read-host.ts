import type { Logger } from 'pino';
import type { HostReading } from './host-reading.js';
import type { HostSources } from './host-sources.js';
import { limited, type Probe } from './limited.js';

const limitMs = 3_000;

/** Reads a host; what does not answer in time stays as it was, or is not told where that can be. */
export function createHostReader(
  sources: HostSources,
  first: HostReading,
  log: Logger,
): () => Promise<HostReading> {
  const limit = <T>(name: keyof HostSources, probe: Probe<T>) => limited(probe, { name, limitMs, log });
  const cpuPercent = limit('cpuPercent', sources.cpuPercent);
  const cpuTemperature = limit('cpuTemperature', sources.cpuTemperature);
  const memory = limit('memory', sources.memory);
  const disk = limit('disk', sources.disk);
  const gpuPercent = limit('gpuPercent', sources.gpuPercent);
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
