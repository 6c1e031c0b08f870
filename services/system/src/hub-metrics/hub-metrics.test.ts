import { findMetricMistakes } from '@birdhub/testing';
import { describe, expect, it } from 'vitest';
import { type HubFacts, writeExposition } from './hub-metrics.js';

const usage = { totalBytes: 8_000_000_000, usedBytes: 2_000_000_000, percent: 25 };
const host = { cpuPercent: 12.5, cpuTemperature: null, memory: usage, disk: usage, gpuPercent: null };
const facts: HubFacts = {
  detections: 1_000_000,
  videos: 350_000,
  visits: 374_000,
  species: 60,
  recordingsBytes: 5_000_000_000_000,
  heartbeatAgeSeconds: 12.25,
  outboxPending: 0,
};
const version = '1.2.3';

const namesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('# TYPE'))
    .map((line) => line.split(' ')[2]);

const ofHost = [
  'birdhub_cpu_usage_percent',
  'birdhub_memory_used_percent',
  'birdhub_memory_total_bytes',
  'birdhub_memory_used_bytes',
  'birdhub_disk_used_percent',
];
const ofHub = [
  'birdhub_detections',
  'birdhub_videos',
  'birdhub_species',
  'birdhub_visits',
  'birdhub_recordings_bytes',
  'birdhub_processor_heartbeat_age_seconds',
  'birdhub_outbox_pending',
];

describe('writeExposition', () => {
  it('with all facts, has exactly the names of the contract and is valid', async () => {
    const text = await writeExposition({ version, host: { ...host, gpuPercent: 7 }, facts });
    expect(namesOf(text)).toEqual([...ofHost, 'birdhub_gpu_usage_percent', ...ofHub, 'birdhub_build_info']);
    expect(findMetricMistakes(text)).toEqual([]);
    expect(text).toContain('\nbirdhub_recordings_bytes 5000000000000\n');
    expect(text).toContain('\nbirdhub_processor_heartbeat_age_seconds 12.25\n');
    expect(text).toContain('\nbirdhub_build_info{version="1.2.3"} 1\n');
  });

  it('with unknown facts, leaves them out', async () => {
    const unknown = { ...facts, heartbeatAgeSeconds: null };
    const names = namesOf(await writeExposition({ version, host, facts: unknown }));
    expect(names).not.toContain('birdhub_gpu_usage_percent');
    expect(names).not.toContain('birdhub_processor_heartbeat_age_seconds');
    expect(names).toContain('birdhub_outbox_pending');
  });

  it('without facts, has the host only', async () => {
    const text = await writeExposition({ version, host, facts: undefined });
    expect(namesOf(text)).toEqual([...ofHost, 'birdhub_build_info']);
  });
});
