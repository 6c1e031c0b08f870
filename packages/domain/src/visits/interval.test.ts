import { anyDetections, anyGapMs } from '@birdhub/testing/arbitrary-detections';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distance, mergeIntervals, overlapLength, touches } from './interval.js';

const span = (start: number, end: number) => ({ start, end });

describe('distance', () => {
  it.each([
    [span(0, 10), span(25, 30), 15],
    [span(0, 10), span(10, 30), 0],
    [span(0, 10), span(2, 3), 0],
    [span(5, 5), span(6, 6), 1],
  ])('%o and %o, either way round, %i', (a, b, expected) => {
    expect([distance(a, b), distance(b, a)]).toEqual([expected, expected]);
  });
});

describe('overlapLength', () => {
  it.each([
    [span(0, 10), span(4, 30), 6],
    [span(0, 10), span(2, 3), 1],
    [span(0, 10), span(10, 30), 0],
    [span(0, 10), span(11, 30), 0],
  ])('%o and %o, either way round, %i', (a, b, expected) => {
    expect([overlapLength(a, b), overlapLength(b, a)]).toEqual([expected, expected]);
  });
});

describe('touches', () => {
  it.each([
    [59, true],
    [60, true],
    [61, false],
  ])('a silence of %i ms, with a gap of 60, %s', (silence, expected) => {
    expect(touches(span(0, 10), span(10 + silence, 100), 60)).toBe(expected);
    expect(touches(span(10 + silence, 100), span(0, 10), 60)).toBe(expected);
  });
});

describe('mergeIntervals', () => {
  it('a long interval before short ones, reaches over them', () => {
    const merged = mergeIntervals([span(70, 80), span(0, 100), span(10, 20), span(150, 160)], 40);
    expect(merged).toEqual([span(0, 100), span(150, 160)]);
  });

  it('what it is given, stays as it was', () => {
    const given = [span(5, 10), span(0, 7)];
    mergeIntervals(given, 0);
    expect(given).toEqual([span(5, 10), span(0, 7)]);
  });

  it('any intervals, gives spans that hold all of them and lie further apart than the gap', () => {
    fc.assert(
      fc.property(anyDetections, anyGapMs, (intervals, gapMs) => {
        const spans = mergeIntervals(intervals, gapMs);
        for (const { start, end } of intervals) {
          expect(spans.filter((holder) => holder.start <= start && end <= holder.end)).toHaveLength(1);
        }
        for (const [at, later] of spans.slice(1).entries()) {
          expect(later.start - (spans[at]?.end ?? Number.NaN)).toBeGreaterThan(gapMs);
        }
        expect(mergeIntervals(spans, gapMs)).toEqual(spans);
      }),
    );
  });
});
