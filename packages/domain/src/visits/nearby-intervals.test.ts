import { anyDetections, anyGapMs } from '@birdhub/testing/arbitrary-detections';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareIntervals, touches } from './interval.js';
import { findNearby } from './nearby-intervals.js';

describe('findNearby', () => {
  it('any two sorted lists, finds just what touches within the gap', () => {
    fc.assert(
      fc.property(anyDetections, anyDetections, anyGapMs, (some, more, gapMs) => {
        const items = some.toSorted(compareIntervals);
        const others = more.toSorted(compareIntervals);
        const expected = items.map((item) => others.filter((other) => touches(item, other, gapMs)));
        expect(findNearby(items, others, gapMs)).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it('two long histories, looks at each distant interval a bounded number of times', () => {
    let looks = 0;
    const others = Array.from({ length: 5000 }, (_, index) => ({
      start: index * 100,
      get end() {
        looks += 1;
        return index * 100 + 50;
      },
    }));
    const items = Array.from({ length: 5000 }, (_, index) => ({ start: index * 100, end: index * 100 + 50 }));
    findNearby(items, others, 10);
    expect(looks).toBeLessThan(4 * 5000);
  });
});
