import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pairNearest } from './pair-nearest.js';

type Pair = readonly [left: number, right: number];

/** Takes the nearest pair of all, again and again: quadratic and simple. */
function greedyDistances(left: readonly number[], right: readonly number[], reach: number): number[] {
  const pairs: Pair[] = left.flatMap((_, l) => right.map((__, r): Pair => [l, r]));
  const distance = ([l, r]: Pair) => Math.abs((left[l] ?? 0) - (right[r] ?? 0));
  const nearest = [...pairs].sort((a, b) => distance(a) - distance(b))[0];
  if (!nearest || distance(nearest) > reach) return [];
  const without = (list: readonly number[], at: number) => list.filter((_, index) => index !== at);
  return [
    distance(nearest),
    ...greedyDistances(without(left, nearest[0]), without(right, nearest[1]), reach),
  ];
}

const anyNumbers = fc.uniqueArray(fc.nat({ max: 40 }), { maxLength: 7 });

describe('pairNearest', () => {
  it('any numbers, are paired at most once and only within reach', () => {
    fc.assert(
      fc.property(anyNumbers, anyNumbers, fc.nat({ max: 20 }), (left, right, reach) => {
        const partners = pairNearest(left, right, reach);
        const taken = partners.filter((partner) => partner !== undefined);
        expect(new Set(taken).size).toBe(taken.length);
        for (const [index, partner] of partners.entries()) {
          if (partner === undefined) continue;
          expect(Math.abs((left[index] ?? 0) - (right[partner] ?? 0))).toBeLessThanOrEqual(reach);
        }
      }),
    );
  });

  it('numbers without equal distances, are paired as by repeatedly taking the nearest two', () => {
    const scale = (numbers: number[], by: number) => numbers.map((number, index) => number * 64 + by + index);
    fc.assert(
      fc.property(anyNumbers, anyNumbers, (a, b) => {
        const left = scale(a, 0);
        const right = scale(b, 13);
        const distances = left.flatMap((l) => right.map((r) => Math.abs(l - r)));
        fc.pre(new Set(distances).size === distances.length);
        const partners = pairNearest(left, right, 640);
        const found = partners.flatMap((partner, at) =>
          partner === undefined ? [] : Math.abs((left[at] ?? 0) - (right[partner] ?? 0)),
        );
        expect(found.sort((x, y) => x - y)).toEqual(greedyDistances(left, right, 640));
      }),
    );
  });

  it('equal numbers, are paired in order, surplus ones stay unpaired', () => {
    expect(pairNearest([5, 5, 5], [5, 5], 0)).toEqual([0, 1, undefined]);
    expect(pairNearest([5, 5], [7, 7, 7], 2)).toEqual([0, 1]);
    expect(pairNearest([7, 7], [5, 5, 5], 2)).toEqual([0, 1]);
  });

  it('a number between two, is paired with the nearer one whatever the order', () => {
    expect(pairNearest([10], [1, 12], 100)).toEqual([1]);
    expect(pairNearest([10, 12], [12], 100)).toEqual([undefined, 0]);
  });

  it('five thousand equal numbers on either side, are paired in order', () => {
    const many = Array.from({ length: 5_000 }, () => 3);
    expect(pairNearest(many, many, 0)).toEqual(many.map((_, index) => index));
  });
});
