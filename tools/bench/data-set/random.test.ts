import { describe, expect, it } from 'vitest';
import { mean } from '../run/quantile.js';
import { accumulate, createRandom, pickIndex } from './random.js';

const draw = <T>(count: number, one: () => T) => Array.from({ length: count }, one);

describe('createRandom', () => {
  it('with the same seed, gives the same numbers', () => {
    const [first, second] = [createRandom('a day'), createRandom('a day')];
    expect(draw(50, first.float)).toEqual(draw(50, second.float));
  });

  it('with a fixed seed, gives the same numbers on every machine', () => {
    const random = createRandom('pinned');
    expect(draw(4, () => random.integer(1_000_000))).toEqual([663_957, 119_201, 204_482, 595_769]);
  });

  it('with seeds that differ in one letter, gives uncorrelated numbers', () => {
    const [first, second] = [createRandom('2025-10-19'), createRandom('2025-10-18')];
    const pairs = draw(5_000, () => (first.float() - 0.5) * (second.float() - 0.5));
    expect(Math.abs(mean(pairs))).toBeLessThan(0.004);
  });

  it('float, over many draws, is uniform from 0 to below 1', () => {
    const { float } = createRandom('spread');
    const tenths = new Array<number>(10).fill(0);
    for (const value of draw(50_000, float)) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThan(1);
      const tenth = Math.floor(value * 10);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    for (const count of tenths) expect(Math.abs(count - 5_000)).toBeLessThan(250);
  });

  it('normal, over many draws, has mean 0 and deviation 1', () => {
    const values = draw(50_000, createRandom('normal').normal);
    expect(Math.abs(mean(values))).toBeLessThan(0.02);
    expect(mean(values.map((value) => value ** 2))).toBeCloseTo(1, 1);
  });

  it('exponential, over many draws, has the given mean', () => {
    const random = createRandom('exponential');
    expect(Math.abs(mean(draw(50_000, () => random.exponential(20))) - 20)).toBeLessThan(0.5);
  });

  it('chance, with a probability of 0.3, is true three times in ten', () => {
    const random = createRandom('chance');
    expect(draw(20_000, () => random.chance(0.3)).filter(Boolean).length / 20_000).toBeCloseTo(0.3, 1);
  });
});

describe('pickIndex', () => {
  it('with weights 1, 0 and 3, picks in that proportion', () => {
    const random = createRandom('pick');
    const sums = accumulate([1, 0, 3]);
    const counts = [0, 0, 0];
    for (const index of draw(20_000, () => pickIndex(random, sums))) counts[index] = (counts[index] ?? 0) + 1;
    expect(counts[1]).toBe(0);
    expect((counts[2] ?? 0) / (counts[0] ?? 1)).toBeCloseTo(3, 0);
  });
});
