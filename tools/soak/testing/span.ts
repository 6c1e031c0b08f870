import type { Span } from '../watch/span.js';

/** A span for tests that ends at this minute, without any load. */
export function createSpan(minute: number, given: Partial<Span> = {}): Span {
  return {
    endSeconds: minute * 60,
    loads: {},
    failures: 0,
    processes: {},
    tables: {},
    outbox: 0,
    deadLetters: 0,
    broker: { lastSequence: 0, streamBytes: 0, waiting: {} },
    ...given,
  };
}
