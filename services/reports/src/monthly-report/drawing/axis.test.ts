import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labelColumns, scaleBetween } from './axis.js';

describe('scaleBetween', () => {
  it.each([
    [0, 1, 5, [0, 1]],
    [0, 7, 5, [0, 2, 4, 6, 8]],
    [0, 60, 5, [0, 20, 40, 60]],
    [0, 68, 5, [0, 20, 40, 60, 80]],
    [0, 12_345, 5, [0, 5_000, 10_000, 15_000]],
    [-2.1, 20.8, 6, [-5, 0, 5, 10, 15, 20, 25]],
    [0, 0, 5, [0, 1]],
    [-3, -3, 4, [-3, -2]],
  ])('%d to %d in %i steps, has the ticks %j', (min, max, steps, ticks) => {
    expect(scaleBetween(min, max, steps).ticks).toEqual(ticks);
  });

  it('any two values, lie between the ends, which are ticks', () => {
    const value = fc.integer({ min: -600, max: 10_000_000 }).map((tenths) => tenths / 10);
    fc.assert(
      fc.property(value, value, fc.integer({ min: 2, max: 8 }), (one, other, steps) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const { min, max, ticks } = scaleBetween(low, high, steps);
        expect(min).toBeLessThanOrEqual(low);
        expect(max).toBeGreaterThanOrEqual(high);
        expect([ticks[0], ticks.at(-1)]).toEqual([min, max]);
        expect(ticks.length).toBeLessThanOrEqual(steps + 2);
      }),
    );
  });
});

describe('labelColumns', () => {
  it.each([
    [31, 15, 12, 1],
    [62, 7, 12, 2],
    [93, 4.9, 12, 3],
    [93, 1, 20, 28],
  ])('%i columns of %d points, have labels of %i points, %i apart', (count, width, label, step) => {
    const columns = labelColumns(count, width, label);
    expect(columns.slice(0, 2)).toEqual([0, step]);
    expect(columns.at(-1)).toBeLessThan(count);
  });
});
