import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type ItemResult, type Job, type JobName, jobNames } from './job.js';

/** What is measured of the jobs that this process begins and works on. */
export interface JobMetrics {
  started(kind: JobName): void;
  /** Somebody begins to work on a job here, answers what says that this has ended. */
  begun(kind: JobName): () => void;
  items(kind: JobName, outcome: ItemResult['outcome'], count: number): void;
  finished(kind: JobName, state: Job['state'], seconds: number): void;
}

const ends = ['done', 'error', 'cancelled'] as const;
const durationBuckets = [0.1, 1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400];

/** Adds the metrics of jobs to a registry, each kind from zero on so that a first one is seen as a rise. */
export function createJobMetrics(registry: Registry): JobMetrics {
  const registers = [registry];
  const started = new Counter({
    name: 'hub_jobs_started_total',
    help: 'Jobs that were begun',
    labelNames: ['kind'],
    registers,
  });
  const finished = new Counter({
    name: 'hub_jobs_finished_total',
    help: 'Jobs that ended, by how: done, error, cancelled',
    labelNames: ['kind', 'state'],
    registers,
  });
  const running = new Gauge({
    name: 'hub_jobs_running',
    help: 'Jobs that are being worked on',
    labelNames: ['kind'],
    registers,
  });
  const items = new Counter({
    name: 'hub_job_items_total',
    help: 'What jobs are done with, by what became of it: generated, failed, skipped',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'hub_job_duration_seconds',
    help: 'Seconds from the start of a job to its end, however often it was cut short',
    labelNames: ['kind'],
    buckets: durationBuckets,
    registers,
  });
  for (const kind of jobNames) {
    started.inc({ kind }, 0);
    running.set({ kind }, 0);
    for (const state of ends) finished.inc({ kind, state }, 0);
  }
  return {
    started: (kind) => started.inc({ kind }),
    begun(kind) {
      running.inc({ kind });
      return () => running.dec({ kind });
    },
    items: (kind, outcome, count) => items.inc({ kind, outcome }, count),
    finished(kind, state, took) {
      finished.inc({ kind, state });
      seconds.observe({ kind }, took);
    },
  };
}
