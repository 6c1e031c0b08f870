import { describe, expect, it } from 'vitest';
import { Latencies } from './latencies.js';

function latenciesOf(values: Iterable<number>): Latencies {
  const latencies = new Latencies();
  for (const value of values) latencies.add(value);
  return latencies;
}

describe('Latencies', () => {
  it('with 1 to 1000 in any order, returns those percentiles', () => {
    const values = Array.from({ length: 1_000 }, (_, index) => ((index * 7) % 1_000) + 1);
    expect(latenciesOf(values).percentiles()).toEqual({ p50: 500, p975: 975, p99: 990 });
  });

  it('with one value, returns it for all percentiles', () => {
    expect(latenciesOf([0.25]).percentiles()).toEqual({ p50: 0.25, p975: 0.25, p99: 0.25 });
  });

  it('without values, returns NaN', () => {
    expect(latenciesOf([]).percentiles().p50).toBeNaN();
  });

  it('beyond the initial capacity, counts all values', () => {
    const values = Array.from({ length: 10_000 }, (_, index) => index);
    const latencies = latenciesOf(values);
    expect(latencies.count).toBe(10_000);
    expect(latencies.percentiles().p99).toBe(9_899);
  });
});
