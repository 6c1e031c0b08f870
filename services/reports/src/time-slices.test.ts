import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TimeSlices } from './time-slices.js';

describe('TimeSlices', () => {
  it('any window and any density, is cut into adjacent slices', () => {
    const counts = fc.infiniteStream(fc.integer({ min: 0, max: 20_000 }));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 * 86_400_000 }), counts, (length, rows) => {
        const window = { start: 1_000, end: 1_000 + length };
        const slices = new TimeSlices(window);
        let reached = window.end;
        for (let slice = slices.next(); slice; slice = slices.next()) {
          expect(slice.end).toBe(reached);
          expect(slice.start).toBeLessThan(slice.end);
          reached = slice.start;
          slices.adapt(slice, rows.next().value);
        }
        expect(reached).toBe(window.start);
      }),
      { numRuns: 20 },
    );
  });

  it('empty days, are covered by slices of about a month', () => {
    const slices = new TimeSlices({ start: 0, end: 366 * 86_400_000 });
    let count = 0;
    for (let slice = slices.next(); slice; slice = slices.next()) {
      slices.adapt(slice, 0);
      count += 1;
    }
    expect(count).toBeLessThan(20);
  });
});
