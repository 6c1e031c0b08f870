import { describe, expect, it } from 'vitest';
import { heatBounds, heatLevel, shortCount } from './heat';

describe('heatBounds', () => {
  it('large counts, give five levels that grow by a factor', () => {
    expect(heatBounds(1_000)).toEqual([1, 4, 16, 64, 252]);
  });

  it('small counts, give one level per number', () => {
    expect(heatBounds(2)).toEqual([1, 2]);
  });

  it('no counts, give no levels', () => {
    expect(heatBounds(0)).toEqual([]);
  });
});

describe('heatLevel', () => {
  const bounds = heatBounds(1_000);

  it.each([
    [0, 0],
    [1, 1],
    [3, 1],
    [4, 2],
    [63, 3],
    [64, 4],
    [1_000, 5],
  ])('a count of %i, is level %i', (count, level) => {
    expect(heatLevel(count, bounds)).toBe(level);
  });

  it('the highest of few counts, still has the strongest level', () => {
    expect([1, 2].map((count) => heatLevel(count, heatBounds(2)))).toEqual([4, 5]);
  });
});

describe('shortCount', () => {
  it.each([
    [9_999, '9999'],
    [12_345, '12k'],
  ])('%i, is %s', (count, text) => {
    expect(shortCount(count)).toBe(text);
  });
});
