import { describe, expect, it } from 'vitest';
import { atLeastTimes, atMost, atMostTimes, both, compareLatency, compareThroughput } from './judge.js';

const load = { p50: 10, p975: 20, p99: 30, perSecond: 600, bytes: 1 };
const limit = { p50: 8, p975: 9, p99: 10, perSecond: 1_000, bytes: 1 };

describe('compareLatency', () => {
  it('with a load slower than its limit, gives a ratio above 1', () => {
    expect(compareLatency(load, 'bare', limit)).toEqual({ name: 'bare', value: 8, unit: 'ms', ratio: 1.25 });
  });
});

describe('compareThroughput', () => {
  it('with a load of less than its limit, gives a ratio below 1', () => {
    expect(compareThroughput(load, 'bare', limit)).toEqual({
      name: 'bare',
      value: 1_000,
      unit: '/s',
      ratio: 0.6,
    });
  });
});

describe('verdicts', () => {
  const latency = compareLatency(load, 'bare', limit);
  const throughput = compareThroughput(load, 'bare', limit);

  it('with a ratio at its goal, pass, and beyond it fail', () => {
    expect([atMostTimes(latency, 1.25), atMostTimes(latency, 1.24)].map((one) => one.isReached)).toEqual([
      true,
      false,
    ]);
    expect(
      [atLeastTimes(throughput, 0.6), atLeastTimes(throughput, 0.61)].map((one) => one.isReached),
    ).toEqual([true, false]);
  });

  it('with a number above its goal, fail', () => {
    expect(atMost(3.1, 3, 'ms', 'p50 ')).toEqual({ goal: 'p50 ≤ 3 ms', isReached: false });
  });

  it('with one of two goals missed, fail', () => {
    expect(both(atMost(1, 2, 'ms'), atMost(3, 2, 'ms'))).toEqual({
      goal: '≤ 2 ms, ≤ 2 ms',
      isReached: false,
    });
  });
});
