import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Gauges that end as only counters may; the same numbers by type are in the metrics beside them. */
const misnamed = ['handles', 'requests', 'resources'].map((kind) => `nodejs_active_${kind}_total`);

const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics that every service has, in a registry of its own. */
export interface ServiceMetrics {
  readonly registry: Registry;
  /** Seconds from request to last byte, by operation id and status. */
  readonly httpSeconds: Histogram<'operation' | 'status'>;
  /** Events handled, by consumer and outcome. */
  readonly eventsHandled: Counter<'consumer' | 'outcome'>;
}

/** Makes the registry of one service with process metrics (event loop, memory, CPU). */
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

/** Shows how many events wait for the broker, as last counted by the relay. */
export function showOutbox({ registry }: ServiceMetrics, pending: () => number): void {
  new Gauge({
    name: 'hub_outbox_pending',
    help: 'Events waiting in the outbox',
    registers: [registry],
    collect() {
      this.set(pending());
    },
  });
}
