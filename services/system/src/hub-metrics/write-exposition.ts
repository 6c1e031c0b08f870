import { Gauge, Registry } from 'prom-client';
import type { HostReading } from '../host-metrics/host-reading.js';
import { type HubFacts, mostPending } from './hub-facts.store.js';

/** What the public metrics are written from; without facts those of the host alone. */
export interface Measured {
  readonly version: string;
  readonly host: HostReading;
  readonly facts: HubFacts | undefined;
}

type Line = readonly [name: string, help: string, value: number | null];

function hostLines({ cpuPercent, memory, disk, gpuPercent }: HostReading): Line[] {
  return [
    ['birdhub_cpu_usage_percent', 'Load of all cores together, 0 to 100', cpuPercent],
    ['birdhub_memory_used_percent', 'Memory in use, 0 to 100', memory.percent],
    ['birdhub_memory_total_bytes', 'Memory of the host', memory.totalBytes],
    ['birdhub_memory_used_bytes', 'Memory in use', memory.usedBytes],
    ['birdhub_disk_used_percent', 'Use of the disk that holds the data folder, 0 to 100', disk.percent],
    ['birdhub_gpu_usage_percent', 'Load of the busiest GPU, 0 to 100', gpuPercent],
  ];
}

function factLines(facts: HubFacts): Line[] {
  return [
    ['birdhub_detections', 'Detections in store', facts.detections],
    ['birdhub_videos', 'Recordings in store', facts.videos],
    ['birdhub_species', 'Species that visited', facts.species],
    ['birdhub_visits', 'Visits in store', facts.visits],
    ['birdhub_recordings_bytes', 'Size of the media files of all recordings', facts.recordingsBytes],
    [
      'birdhub_processor_heartbeat_age_seconds',
      'Time since the newest heartbeat of a processor',
      facts.heartbeatAgeSeconds,
    ],
    [
      'birdhub_outbox_pending',
      `Events that wait for the broker, counted up to ${mostPending}`,
      facts.outboxPending,
    ],
  ];
}

/** Prometheus text 0.0.4; what is not known is left out. */
export async function writeExposition({ version, host, facts }: Measured): Promise<string> {
  const registry = new Registry();
  const registers = [registry];
  for (const [name, help, value] of [...hostLines(host), ...(facts ? factLines(facts) : [])]) {
    if (value !== null) new Gauge({ name, help, registers }).set(value);
  }
  new Gauge({
    name: 'birdhub_build_info',
    help: 'The version of the hub; always 1',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  return registry.metrics();
}
