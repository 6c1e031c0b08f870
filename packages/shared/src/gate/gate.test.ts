import { describe, expect, it } from 'vitest';
import { createGate } from './gate.js';

describe('gate', () => {
  it('more work than its width, runs so many at once and in order of arrival', async () => {
    const gate = createGate(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const work = (number: number) =>
      gate(async () => {
        begun.push(number);
        await new Promise<void>((resolve) => ends.push(resolve));
        return number;
      });
    const results = Promise.all([work(1), work(2), work(3), work(4)]);
    for (let round = 1; round <= 4; round += 1) {
      await Promise.resolve();
      expect(begun.length - round + 1).toBeLessThanOrEqual(2);
      ends.shift()?.();
      await new Promise(setImmediate);
    }
    expect(await results).toEqual([1, 2, 3, 4]);
    expect(begun).toEqual([1, 2, 3, 4]);
  });

  it('work that fails, gives its place to the next', async () => {
    const gate = createGate(1);
    await expect(gate(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await gate(async () => 'next')).toBe('next');
  });
});
