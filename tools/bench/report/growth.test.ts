import { describe, expect, it } from 'vitest';
import { compareGrowth } from './growth.js';
import type { ResultRow, Results } from './result-row.js';

const processes = [{ name: 'query', cpuSeconds: 1, peakRssBytes: 1 }];
const row = (title: string, p50: number, perSecond: number): ResultRow => ({
  title,
  connections: 16,
  processes,
  load: { p50, p975: p50, p99: p50, perSecond, bytes: 1 },
});
const results = (...rows: ResultRow[]): Results => ({ machine: {}, secondsEach: 1, cases: { one: rows } });

describe('compareGrowth', () => {
  it('for a read, measures growth by latency', () => {
    const [growth] = compareGrowth(results(row('timeline', 10, 100)), results(row('timeline', 12, 80)));
    expect(growth).toMatchObject({
      small: 10,
      large: 12,
      unit: 'ms',
      growth: 1.2,
      verdict: { isReached: false },
    });
  });

  it('for a post, measures growth by throughput', () => {
    const [growth] = compareGrowth(results(row('ingest', 1, 700)), results(row('ingest', 9, 700)));
    expect(growth).toMatchObject({
      small: 700,
      large: 700,
      unit: '/s',
      growth: 1,
      verdict: { isReached: true },
    });
  });

  it('with limits and rows of one run only, leaves them out', () => {
    const limit = { ...row('bare', 1, 1), processes: [] };
    const both = compareGrowth(results(limit, row('a', 1, 1)), results(limit, row('b', 1, 1)));
    expect(both).toEqual([]);
  });
});
