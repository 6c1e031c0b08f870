import { access, type HubApp } from '@birdhub/shared/app';
import { type Clock, hourMs } from '@birdhub/shared/time';
import type pg from 'pg';
import { Type } from 'typebox';
import {
  downsample,
  type HostMetrics,
  listHostSamples,
  retentionHours,
  sampleIntervalMs,
} from './host-history.js';
import { HostHistorySchema, type HostMetricsBody, HostMetricsSchema } from './host-metrics.schema.js';
import type { Usage } from './host-reader.js';

const metricsSchema = {
  operationId: 'getHostMetrics',
  summary: 'Get current host metrics',
  tags: ['system'],
  security: access.open,
  response: { 200: HostMetricsSchema },
};

const historySchema = {
  operationId: 'getHostHistory',
  summary: 'Get the history of host metrics',
  tags: ['system'],
  security: access.open,
  querystring: Type.Object({
    hours: Type.Integer({
      minimum: 1,
      maximum: retentionHours,
      default: 24,
      description: 'Number of hours before now',
    }),
    max_points: Type.Integer({
      minimum: 50,
      maximum: 2_000,
      default: 500,
      description: 'Maximum number of samples',
    }),
  }),
  response: { 200: HostHistorySchema },
};

const gigabyte = 1_073_741_824;

const toGigabytes = (bytes: number) => Math.round((bytes / gigabyte) * 10) / 10;

function toUsageBody({ totalBytes, usedBytes, percent }: Usage): HostMetricsBody['memory'] {
  return {
    total: toGigabytes(totalBytes),
    used: toGigabytes(usedBytes),
    percent,
    total_bytes: totalBytes,
    used_bytes: usedBytes,
  };
}

/** Returns the last reading in its wire form. */
function toBody({ encoding, snapshot }: Pick<HostMetrics, 'encoding' | 'snapshot'>): HostMetricsBody {
  const { cpuPercent, cpuTemperature, memory, disk, gpuPercent } = snapshot();
  return {
    cpu: { percent: cpuPercent, temperature: cpuTemperature },
    memory: toUsageBody(memory),
    disk: toUsageBody(disk),
    encoding,
    gpu_percent: gpuPercent,
  };
}

/** `GET /system/metrics`, `GET /system/metrics/history` */
export function hostMetricsRoutes(
  app: HubApp,
  { host, pool, clock }: { host: HostMetrics; pool: pg.Pool; clock: Clock },
): void {
  app.get('/api/ui/system/metrics', { schema: metricsSchema }, async () => toBody(host));
  app.get('/api/ui/system/metrics/history', { schema: historySchema }, async ({ query }) => {
    const { hours, max_points } = query;
    const samples = await listHostSamples(pool, clock.now() - hours * hourMs);
    return {
      samples: downsample(samples, max_points).map(({ at, ...values }) => ({
        t: new Date(at).toISOString(),
        ...values,
      })),
      sample_interval_seconds: sampleIntervalMs / 1_000,
      retention_hours: retentionHours,
      hours_requested: hours,
    };
  });
}
