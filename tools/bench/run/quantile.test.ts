import { describe, expect, it } from 'vitest';
import { median, quantile } from './quantile.js';

describe('quantile', () => {
  it.each([
    [[3, 1, 2], 0.5, 2],
    [[4, 3, 1, 2], 0.5, 2],
    [[2, 1], 0, 1],
    [[2, 1], 1, 2],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.95, 10],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.9, 9],
    [[], 0.5, Number.NaN],
  ])('of %j at %f, is %f', (values, share, expected) => {
    expect(quantile(values, share)).toBe(expected);
  });
});

describe('median', () => {
  it('of an odd number of values, is the one in the middle', () => {
    expect(median([5, 1, 100])).toBe(5);
  });
});
