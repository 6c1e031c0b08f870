import { isSourceUp, listSourceSummaries, type SourceSummary } from '@birdhub/domain/sources';
import { createSingleFlight } from '@birdhub/shared/async';
import type { ServiceMetrics } from '@birdhub/shared/metrics';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import { Counter, Gauge } from 'prom-client';
import type { SourceRunner } from './source-runner.js';

/** Dependencies of the metrics. */
interface SourceMetricsDeps {
  readonly pool: pg.Pool;
  readonly metrics: ServiceMetrics;
  readonly runner: Pick<SourceRunner, 'isHolder'>;
  readonly clock: Clock;
  readonly log: Logger;
}

interface SourceMetric {
  readonly type: 'gauge' | 'counter';
  readonly name: string;
  readonly help: string;
  /** Returns null for sources that have no value yet. */
  readonly measure: (source: SourceSummary, now: number) => number | null;
}

const sourceMetrics: readonly SourceMetric[] = [
  {
    type: 'gauge',
    name: 'hub_source_up',
    help: 'Whether a source is read without an error',
    measure: (source, now) => Number(isSourceUp(source, now)),
  },
  {
    type: 'gauge',
    name: 'hub_source_behind_seconds',
    help: 'Time by which reading is behind the source',
    measure: ({ readUntil }, now) => readUntil && Math.max(0, now - readUntil.getTime()) / 1000,
  },
  {
    type: 'gauge',
    name: 'hub_source_last_event_timestamp_seconds',
    help: 'Time of the last bird of the source',
    measure: ({ lastEventAt }) => lastEventAt && lastEventAt.getTime() / 1000,
  },
  {
    type: 'counter',
    name: 'hub_source_events_total',
    help: 'Recordings read from a source',
    measure: ({ events }) => events,
  },
  {
    type: 'counter',
    name: 'hub_source_dropped_total',
    help: 'Events of a source that were skipped',
    measure: ({ dropped }) => dropped,
  },
];

/** Adds metrics of the enabled sources; only the process that reads the sources returns values. */
export function addSourceMetrics({ pool, metrics, runner, clock, log }: SourceMetricsDeps): void {
  // All metrics of one scrape share one query.
  const flights = createSingleFlight<SourceSummary[], string>();

  async function list(): Promise<SourceSummary[]> {
    if (!runner.isHolder) return [];
    try {
      return (await listSourceSummaries(pool)).filter(({ enabled }) => enabled);
    } catch (error) {
      log.warn({ err: error }, 'metrics of sources not read');
      return [];
    }
  }

  for (const { type, name, help, measure } of sourceMetrics) {
    const Metric = type === 'gauge' ? Gauge : Counter;
    new Metric({
      name,
      help,
      labelNames: ['source', 'kind'],
      registers: [metrics.registry],
      async collect() {
        const sources = await flights.run('list', list);
        this.reset();
        const now = clock.now();
        for (const source of sources) {
          const value = measure(source, now);
          if (value !== null) this.inc({ source: source.name, kind: source.kind }, value);
        }
      },
    });
  }
}
