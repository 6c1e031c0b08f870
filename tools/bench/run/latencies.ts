import { quantileOfSorted } from './quantile.js';

/** Latencies in ms. */
export interface Percentiles {
  readonly p50: number;
  readonly p975: number;
  readonly p99: number;
}

/** All latencies of one run, for exact percentiles. */
export class Latencies {
  #values = new Float64Array(4_096);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(milliseconds: number): void {
    if (this.#count === this.#values.length) {
      const larger = new Float64Array(this.#count * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#count] = milliseconds;
    this.#count += 1;
  }

  /** Returns the percentiles, see {@link quantileOfSorted}; NaN without latencies. */
  percentiles(): Percentiles {
    const sorted = this.#values.slice(0, this.#count).sort();
    const at = (share: number) => quantileOfSorted(sorted, share);
    return { p50: at(0.5), p975: at(0.975), p99: at(0.99) };
  }
}
