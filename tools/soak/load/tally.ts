import { Latencies, type Percentiles } from '../../bench/run/latencies.js';

/** The number and the latencies of requests of one kind, in ms. */
export interface LoadFigures extends Percentiles {
  readonly count: number;
}

/** By the kind of request. */
export type Loads = Readonly<Record<string, LoadFigures>>;

type Kept = Map<string, Latencies>;

function add(kept: Kept, what: string, milliseconds: number): void {
  const latencies = kept.get(what) ?? new Latencies();
  kept.set(what, latencies);
  latencies.add(milliseconds);
}

const toLoads = (kept: Kept): Loads =>
  Object.fromEntries(
    [...kept].map(([what, latencies]) => [what, { count: latencies.count, ...latencies.percentiles() }]),
  );

/** Collects the latencies of requests by their kind, and failures. */
export class Tally {
  readonly failures: string[] = [];
  #span: Kept = new Map();
  #whole: Kept = new Map();

  note(what: string, milliseconds: number): void {
    add(this.#span, what, milliseconds);
    add(this.#whole, what, milliseconds);
  }

  fail(what: string, why: string): void {
    this.failures.push(`${what}: ${why}`);
  }

  /** Returns the latencies since the last call. */
  endSpan(): Loads {
    const loads = toLoads(this.#span);
    this.#span = new Map();
    return loads;
  }

  /** Discards the latencies of the warm-up; failures are kept. */
  forgetWarmUp(): void {
    this.#whole = new Map();
  }

  whole(): Loads {
    return toLoads(this.#whole);
  }
}
