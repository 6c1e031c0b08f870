import { Gauge } from 'prom-client';
import type { SubjectPattern } from '../events/index.js';
import type { ServiceMetrics } from '../metrics/index.js';
import type { BusStatus, ConsumeOptions, EventHandler } from './bus.js';

const outcomes = ['handled', 'failed', 'given_up'] as const;

/** Adds a gauge that shows whether the broker is connected. */
export function addBusMetrics({ registry }: ServiceMetrics, bus: { status(): BusStatus }): void {
  new Gauge({
    name: 'hub_bus_connected',
    help: 'Whether the broker is connected, 1 or 0',
    registers: [registry],
    collect() {
      this.set(bus.status() === 'ok' ? 1 : 0);
    },
  });
}

/** A durable consumer. */
interface DurableConsumer<P extends SubjectPattern> {
  readonly options: ConsumeOptions<P>;
  readonly handler: EventHandler<P>;
}

/** Returns the consumer with counters of the events that it handles, by outcome. */
export function countEvents<P extends SubjectPattern>(
  { eventsHandled }: ServiceMetrics,
  { options, handler }: DurableConsumer<P>,
): DurableConsumer<P> {
  const { durable: consumer, onDeadLetter } = options;
  // Initialised to zero, as a series that starts at 1 shows no increase.
  for (const outcome of outcomes) eventsHandled.inc({ consumer, outcome }, 0);
  return {
    options: {
      ...options,
      async onDeadLetter(letter) {
        await onDeadLetter(letter);
        eventsHandled.inc({ consumer, outcome: 'given_up' });
      },
    },
    async handler(event) {
      try {
        await handler(event);
        eventsHandled.inc({ consumer, outcome: 'handled' });
      } catch (error) {
        eventsHandled.inc({ consumer, outcome: 'failed' });
        throw error;
      }
    },
  };
}
