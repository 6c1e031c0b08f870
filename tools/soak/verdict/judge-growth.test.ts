import { describe, expect, it } from 'vitest';
import { createSpan } from '../testing/span.js';
import { judgeGrowth } from './judge-growth.js';

/** Judges thirty minutes of a service with the given memory (MB) by minute. */
function judged(megabytesAt: (minute: number) => number, heapAt = (_: number) => 40) {
  const spans = Array.from({ length: 30 }, (_, index) => {
    const heapBytes = heapAt(index) * 1e6;
    const one = { bytes: megabytesAt(index) * 1e6, sharedBytes: 0, openFiles: 30, heapBytes };
    return createSpan(index + 1, { processes: { query: one } });
  });
  return Object.fromEntries(judgeGrowth(spans).map(({ what, isKept }) => [what, isKept]));
}

const noise = (minute: number) => ((minute * 7) % 11) - 5;

describe('judgeGrowth', () => {
  it('with memory that goes up and down, passes', () => {
    expect(judged((minute) => 100 + noise(minute))).toEqual({
      'memory of query': true,
      'heap of query, least in a span': true,
      'open files of query': true,
    });
  });

  it('with memory that grows only during the warm-up, passes', () => {
    expect(judged((minute) => Math.min(100, 50 + 5 * minute) + noise(minute))['memory of query']).toBe(true);
  });

  it('with memory that grows by half in an hour under the same noise, fails', () => {
    expect(judged((minute) => 100 + (50 * minute) / 60 + noise(minute))['memory of query']).toBe(false);
  });

  it('with memory too noisy for a line but higher at the end, fails', () => {
    const restless = (minute: number) => (minute < 20 ? 100 : 150) + 8 * noise(minute);
    expect(judged(restless)['memory of query']).toBe(false);
  });

  it('with a heap that leaks within constant memory, fails', () => {
    const found = judged(
      () => 100,
      (minute) => 40 + minute / 5,
    );
    expect(found).toMatchObject({ 'memory of query': true, 'heap of query, least in a span': false });
  });

  it('with too few spans for a verdict, fails', () => {
    const processes = { nats: { bytes: 1, sharedBytes: 0, openFiles: 1, heapBytes: undefined } };
    const checks = judgeGrowth([createSpan(1, { processes }), createSpan(2, { processes })]);
    expect(checks.map(({ isKept }) => isKept)).toEqual([false, false]);
  });

  it('with files that PostgreSQL keeps open, ignores them', () => {
    const spans = [10, 20, 400].map((openFiles, index) => {
      const postgres = { bytes: 1, sharedBytes: 0, openFiles, heapBytes: undefined };
      return createSpan(index, { processes: { postgres } });
    });
    expect(judgeGrowth(spans).map(({ what }) => what)).toEqual(['memory of postgres']);
  });
});
