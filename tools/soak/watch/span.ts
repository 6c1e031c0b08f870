import type { Loads } from '../load/tally.js';
import type { BrokerFigures } from './ask-broker.js';
import type { ProcessFigures } from './process-figures.js';
import type { Tables } from './table-figures.js';

/** A process over a span: means, but the most files that were open and the least of its heap. */
export interface SpanProcess extends ProcessFigures {
  /** What is in use right after the heap was tidied; of services alone. */
  readonly heapBytes: number | undefined;
}

/** The hub at the end of a span, a minute in a run of some length. */
export interface HubSpan {
  readonly processes: Readonly<Record<string, SpanProcess>>;
  readonly tables: Tables;
  readonly outbox: number;
  readonly deadLetters: number;
  readonly broker: BrokerFigures;
}

/** A span of the run. */
export interface Span extends HubSpan {
  /** From the first post to the end of the span. */
  readonly endSeconds: number;
  readonly loads: Loads;
  /** Of all so far. */
  readonly failures: number;
}
