import type { Delivery, Verdict } from './deliver.js';
import type { MemoryStream } from './memory-stream.js';
import { matchesSubject } from './subject-pattern.js';

/** What all subscriptions of one durable name share. */
export interface MemoryDurable {
  /** The next delivery that is due, undefined when the signal fired first. */
  next(signal: AbortSignal): Promise<Delivery | undefined>;
  report(delivery: Delivery, verdict: Verdict): void;
}

interface Redelivery {
  readonly delivery: Delivery;
  readonly dueAt: number;
}

/** How to begin, and whether one unsettled event holds up the others. */
export interface MemoryDurableOptions {
  readonly subject: string;
  readonly deliver: 'all' | 'new';
  readonly concurrency: number;
}

export function createMemoryDurable(stream: MemoryStream, options: MemoryDurableOptions): MemoryDurable {
  const { subject, deliver, concurrency } = options;
  const inHand = new Set<Delivery>();
  const again: Redelivery[] = [];
  let position = deliver === 'all' ? 0 : stream.events.length;

  function takeAgain(): Delivery | undefined {
    const index = again.findIndex(({ dueAt }) => dueAt <= Date.now());
    if (index < 0) return undefined;
    return again.splice(index, 1)[0]?.delivery;
  }

  function takeNew(): Delivery | undefined {
    for (;;) {
      const event = stream.events[position];
      if (!event) return undefined;
      position += 1;
      if (matchesSubject(subject, event.subject)) return { ...event, attempt: 1 };
    }
  }

  function take(): Delivery | undefined {
    if (concurrency > 1) return takeAgain() ?? takeNew();
    if (inHand.size) return undefined;
    return again.length ? takeAgain() : takeNew();
  }

  async function next(signal: AbortSignal): Promise<Delivery | undefined> {
    while (!signal.aborted) {
      const delivery = take();
      if (delivery) {
        inHand.add(delivery);
        return delivery;
      }
      const dueAt = Math.min(...again.map((redelivery) => redelivery.dueAt));
      await stream.changed(signal, Number.isFinite(dueAt) ? Math.max(0, dueAt - Date.now()) : undefined);
    }
    return undefined;
  }

  return {
    next,
    report(delivery, verdict) {
      inHand.delete(delivery);
      if (verdict.kind === 'again') {
        const redelivery = { ...delivery, attempt: delivery.attempt + 1 };
        again.push({ delivery: redelivery, dueAt: Date.now() + verdict.afterMs });
      }
      stream.notify();
    },
  };
}
