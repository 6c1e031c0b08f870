import type pg from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Default gauges that are named like counters; those without `_total` have the same values by type. */
const misnamed = ['handles', 'requests', 'resources'].map((kind) => `nodejs_active_${kind}_total`);

const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics of every service, in its own registry. */
export interface ServiceMetrics {
  readonly registry: Registry;
  /** Seconds from request to last byte, by operation id and status. */
  readonly httpSeconds: Histogram<'operation' | 'status'>;
  /** Events handled, by consumer and outcome. */
  readonly eventsHandled: Counter<'consumer' | 'outcome'>;
}

/** Creates the registry of one service with process metrics (event loop, memory, CPU). */
export function createMetrics(service: string): ServiceMetrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  const registers = [registry];
  return {
    registry,
    httpSeconds: new Histogram({
      name: 'hub_http_request_duration_seconds',
      help: 'Seconds from the request to the last byte of its response',
      labelNames: ['operation', 'status'],
      buckets: latencyBuckets,
      registers,
    }),
    eventsHandled: new Counter({
      name: 'hub_events_handled_total',
      help: 'Events handled',
      labelNames: ['consumer', 'outcome'],
      registers,
    }),
  };
}

/** Adds a gauge of the unpublished events, as last counted by the relay. */
export function addOutboxMetrics({ registry }: ServiceMetrics, pending: () => number): void {
  new Gauge({
    name: 'hub_outbox_pending',
    help: 'Events waiting in the outbox',
    registers: [registry],
    collect() {
      this.set(pending());
    },
  });
}

/** Adds gauges of busy and idle database connections and of waiting callers. */
export function addPoolMetrics({ registry }: ServiceMetrics, pool: pg.Pool): void {
  const registers = [registry];
  new Gauge({
    name: 'hub_database_connections',
    help: 'Database connections by state: busy, idle',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
    },
  });
  new Gauge({
    name: 'hub_database_waiting',
    help: 'Callers waiting for a database connection',
    registers,
    collect() {
      this.set(pool.waitingCount);
    },
  });
}
