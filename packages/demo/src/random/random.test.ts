import { describe, expect, it } from 'vitest';
import { between, integerBetween, pickWeighted, seededRandom } from './index.js';

const draw = (seed: string, count: number) => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, random);
};

describe('seededRandom', () => {
  it('one seed, always gives the same numbers, another seed others', () => {
    expect(draw('1', 3)).toEqual(draw('1', 3));
    expect(draw('1', 3)).not.toEqual(draw('2', 3));
  });

  it('ten thousand numbers, fill the range from 0 to 1 evenly', () => {
    const tenths = Array<number>(10).fill(0);
    for (const number of draw('even', 10_000))
      tenths[Math.floor(number * 10)] = (tenths[Math.floor(number * 10)] ?? 0) + 1;
    expect(Math.min(...tenths)).toBeGreaterThan(850);
    expect(Math.max(...tenths)).toBeLessThan(1150);
  });
});

describe('draws', () => {
  it('integerBetween, at both ends of the random range, returns both limits', () => {
    expect(integerBetween(() => 0, -2, 3)).toBe(-2);
    expect(integerBetween(() => 0.999, -2, 3)).toBe(3);
  });

  it('between, at the middle of the random range, returns the middle', () => {
    expect(between(() => 0.5, 10, 20)).toBe(15);
  });

  it('pickWeighted, over the random range, follows the weights', () => {
    const items = ['a', 'b', 'c'];
    const weights: Record<string, number> = { a: 1, b: 2, c: 1 };
    const picked = [0, 0.24, 0.26, 0.74, 0.76, 0.999].map((number) =>
      pickWeighted(
        () => number,
        items,
        (item) => weights[item] ?? 0,
      ),
    );
    expect(picked.join('')).toBe('aabbcc');
  });

  it('pickWeighted, with an empty list, throws', () => {
    expect(() =>
      pickWeighted(
        () => 0,
        [],
        () => 1,
      ),
    ).toThrow('nothing to pick from');
  });
});
