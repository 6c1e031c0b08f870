import { Latencies, type Percentiles } from '../../bench/run/latencies.js';

/** How often something was done, and how long it took, in ms. */
export interface LoadFigures extends Percentiles {
  readonly count: number;
}

/** By what was done. */
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

/** What those who load the hub note: latencies by what they did, and what failed. */
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

  /** What was noted since the last call. */
  endSpan(): Loads {
    const loads = toLoads(this.#span);
    this.#span = new Map();
    return loads;
  }

  /** Forgets the latencies of the warm-up; what failed stays. */
  forgetWarmUp(): void {
    this.#whole = new Map();
  }

  whole(): Loads {
    return toLoads(this.#whole);
  }
}
