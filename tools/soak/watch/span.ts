import type { Loads } from '../load/tally.js';
import type { BrokerFigures } from './ask-broker.js';
import type { ProcessFigures } from './process-figures.js';
import type { Tables } from './table-figures.js';

/** A process over a span: mean memory, maximum open files and minimum heap. */
export interface SpanProcess extends ProcessFigures {
  /** The used heap after a garbage collection; only of services. */
  readonly heapBytes: number | undefined;
}

/** The hub at the end of a span. */
export interface HubSpan {
  readonly processes: Readonly<Record<string, SpanProcess>>;
  readonly tables: Tables;
  readonly outbox: number;
  readonly deadLetters: number;
  readonly broker: BrokerFigures;
}

/** A span of the run, at most a minute long. */
export interface Span extends HubSpan {
  /** From the first post to the end of the span. */
  readonly endSeconds: number;
  readonly loads: Loads;
  /** Number of failures since the start of the run. */
  readonly failures: number;
}
