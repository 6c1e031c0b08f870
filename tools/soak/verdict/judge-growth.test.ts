import { describe, expect, it } from 'vitest';
import { aSpan } from './a-span.js';
import { judgeGrowth } from './judge-growth.js';

/** Thirty minutes of a service whose memory (MB) is as told. */
function judged(megabytesAt: (minute: number) => number, heapAt = (_: number) => 40) {
  const spans = Array.from({ length: 30 }, (_, index) => {
    const heapBytes = heapAt(index) * 1e6;
    const one = { bytes: megabytesAt(index) * 1e6, sharedBytes: 0, openFiles: 30, heapBytes };
    return aSpan(index + 1, { processes: { query: one } });
  });
  return Object.fromEntries(judgeGrowth(spans).map(({ what, isKept }) => [what, isKept]));
}

const noise = (minute: number) => ((minute * 7) % 11) - 5;

describe('judgeGrowth', () => {
  it('memory, that goes up and down, is flat', () => {
    expect(judged((minute) => 100 + noise(minute))).toEqual({
      'memory of query': true,
      'heap of query, least in a span': true,
      'open files of query': true,
    });
  });

  it('memory, that only grows while the hub warms up, is flat', () => {
    expect(judged((minute) => Math.min(100, 50 + 5 * minute) + noise(minute))['memory of query']).toBe(true);
  });

  it('memory, that grows by a half in an hour under the same noise, is not', () => {
    expect(judged((minute) => 100 + (50 * minute) / 60 + noise(minute))['memory of query']).toBe(false);
  });

  it('memory, so restless that no line tells anything but higher at last, is not', () => {
    const restless = (minute: number) => (minute < 20 ? 100 : 150) + 8 * noise(minute);
    expect(judged(restless)['memory of query']).toBe(false);
  });

  it('a heap, that leaks within memory that is there, is not', () => {
    const found = judged(
      () => 100,
      (minute) => 40 + minute / 5,
    );
    expect(found).toMatchObject({ 'memory of query': true, 'heap of query, least in a span': false });
  });

  it('too few spans for a verdict, are not', () => {
    const processes = { nats: { bytes: 1, sharedBytes: 0, openFiles: 1, heapBytes: undefined } };
    const checks = judgeGrowth([aSpan(1, { processes }), aSpan(2, { processes })]);
    expect(checks.map(({ isKept }) => isKept)).toEqual([false, false]);
  });

  it('files that PostgreSQL keeps open, are its own affair', () => {
    const spans = [10, 20, 400].map((openFiles, index) => {
      const postgres = { bytes: 1, sharedBytes: 0, openFiles, heapBytes: undefined };
      return aSpan(index, { processes: { postgres } });
    });
    expect(judgeGrowth(spans).map(({ what }) => what)).toEqual(['memory of postgres']);
  });
});
