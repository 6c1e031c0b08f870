import { Gauge } from 'prom-client';
import type { Bus, EventHandler } from '../bus/index.js';
import type { SubjectPattern } from '../events/index.js';
import type { ServiceMetrics } from './service-metrics.js';

const outcomes = ['handled', 'failed', 'given_up'] as const;

/** Wraps a bus with metrics: handled events by consumer, and whether the broker is connected. */
export function measureBus<B extends Pick<Bus, 'consume' | 'status'>>(
  bus: B,
  { registry, eventsHandled }: ServiceMetrics,
): B {
  new Gauge({
    name: 'hub_bus_connected',
    help: 'Whether the broker is connected, 1 or 0',
    registers: [registry],
    collect() {
      this.set(bus.status() === 'ok' ? 1 : 0);
    },
  });

  function counted<P extends SubjectPattern>(consumer: string, handler: EventHandler<P>): EventHandler<P> {
    return async (event) => {
      try {
        await handler(event);
        eventsHandled.inc({ consumer, outcome: 'handled' });
      } catch (error) {
        eventsHandled.inc({ consumer, outcome: 'failed' });
        throw error;
      }
    };
  }

  return {
    ...bus,
    consume(options, handler) {
      const { durable: consumer, onDeadLetter } = options;
      // Initialised to zero, as a series that begins with 1 shows no increase.
      for (const outcome of outcomes) eventsHandled.inc({ consumer, outcome }, 0);
      const keepLetter: typeof onDeadLetter = async (letter) => {
        await onDeadLetter(letter);
        eventsHandled.inc({ consumer, outcome: 'given_up' });
      };
      return bus.consume({ ...options, onDeadLetter: keepLetter }, counted(consumer, handler));
    },
  };
}
