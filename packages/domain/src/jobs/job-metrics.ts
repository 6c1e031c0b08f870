import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ItemResult, Job, JobName } from './job.js';

/** Metrics of the jobs that this process starts and runs. */
export interface JobMetrics {
  started(kind: JobName): void;
  /** Counts a running job until the returned function is called. */
  running(kind: JobName): () => void;
  items(kind: JobName, outcome: ItemResult['outcome'], count: number): void;
  finished(kind: JobName, state: Job['state'], seconds: number): void;
}

const ends = ['done', 'error', 'cancelled'] as const;
const durationBuckets = [0.1, 1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400];

/**
 * Adds the metrics of jobs to a registry; the counters of all kinds start at zero, so that the first job shows as an
 * increase.
 */
export function createJobMetrics(registry: Registry, kinds: readonly JobName[]): JobMetrics {
  const registers = [registry];
  const started = new Counter({
    name: 'hub_jobs_started_total',
    help: 'Jobs started',
    labelNames: ['kind'],
    registers,
  });
  const finished = new Counter({
    name: 'hub_jobs_finished_total',
    help: 'Jobs finished, by state: done, error, cancelled',
    labelNames: ['kind', 'state'],
    registers,
  });
  const runningJobs = new Gauge({
    name: 'hub_jobs_running',
    help: 'Jobs running',
    labelNames: ['kind'],
    registers,
  });
  const items = new Counter({
    name: 'hub_job_items_total',
    help: 'Items that jobs have processed, by outcome: generated, failed, skipped',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'hub_job_duration_seconds',
    help: 'Seconds from the start of a job to its end, interruptions included',
    labelNames: ['kind'],
    buckets: durationBuckets,
    registers,
  });
  for (const kind of kinds) {
    started.inc({ kind }, 0);
    runningJobs.set({ kind }, 0);
    for (const state of ends) finished.inc({ kind, state }, 0);
  }
  return {
    started: (kind) => started.inc({ kind }),
    running(kind) {
      runningJobs.inc({ kind });
      return () => runningJobs.dec({ kind });
    },
    items: (kind, outcome, count) => items.inc({ kind, outcome }, count),
    finished(kind, state, took) {
      finished.inc({ kind, state });
      seconds.observe({ kind }, took);
    },
  };
}
