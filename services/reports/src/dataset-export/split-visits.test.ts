import { describe, expect, it } from 'vitest';
import { splitOf } from './split-visits.js';

const visits = Array.from({ length: 10_000 }, (_, index) => index + 1);
const shareOf = (seed: number, ratio: number) =>
  visits.filter((visit) => splitOf(visit, seed, ratio) === 'val').length / visits.length;

describe('splitOf', () => {
  it.each([0.1, 0.2, 0.5, 0.9])('a ratio of %d, is about that share', (ratio) => {
    expect(Math.abs(shareOf(42, ratio) - ratio)).toBeLessThan(0.02);
  });

  it('a ratio of 0 or 1, is one side', () => {
    expect([shareOf(1, 0), shareOf(1, 1)]).toEqual([0, 1]);
  });

  it('a higher ratio, keeps on their side those that were in val', () => {
    const isVal = (ratio: number) => (visit: number) => splitOf(visit, 7, ratio) === 'val';
    expect(visits.filter(isVal(0.2)).every(isVal(0.3))).toBe(true);
  });

  it('the same visits, are the same in every version, and others with another seed', () => {
    const sides = (seed: number) =>
      visits
        .slice(0, 12)
        .map((visit) => splitOf(visit, seed, 0.5))
        .join();
    expect(sides(42)).toMatchInlineSnapshot(`"val,train,train,val,val,val,val,val,val,train,val,val"`);
    expect(sides(43)).not.toBe(sides(42));
  });
});
