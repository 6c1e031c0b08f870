import { describe, expect, it } from 'vitest';
import { gather } from './gather.js';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A gathering that doubles what is positive, and what it was asked together. */
function doubling() {
  const asked: (readonly number[])[] = [];
  const double = gather(async (keys: readonly number[]) => {
    asked.push(keys);
    return new Map(keys.filter((key) => key > 0).map((key) => [key, key * 2]));
  }, 5);
  return { asked, double };
}

describe('gather', () => {
  it('questions that come together, are asked once with each key once', async () => {
    const { asked, double } = doubling();
    expect(await Promise.all([1, 2, 1, -1].map(double))).toEqual([2, 4, 2, undefined]);
    expect(asked).toEqual([[1, 2, -1]]);
  });

  it('a question after an answer, is asked anew', async () => {
    const { asked, double } = doubling();
    await double(1);
    await double(1);
    expect(asked).toEqual([[1], [1]]);
  });

  it('a question that comes while others are being answered, waits for none of them', async () => {
    let answer = () => {};
    const slow = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const ask = gather(async ([key]: readonly number[]) => {
      if (key === 1) await slow;
      return new Map([[key as number, key]]);
    }, 1);
    const first = ask(1);
    await pause(10);
    expect(await ask(2)).toBe(2);
    answer();
    expect(await first).toBe(1);
  });

  it('a failure, is the failure of all who asked together and of nobody after', async () => {
    let isBroken = true;
    const ask = gather(async (keys: readonly number[]) => {
      if (isBroken) throw new Error('away');
      return new Map(keys.map((key) => [key, key]));
    }, 1);
    const together = await Promise.allSettled([ask(1), ask(2)]);
    expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    expect(await ask(1)).toBe(1);
  });
});
