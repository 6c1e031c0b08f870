import { describe, expect, it } from 'vitest';
import { mapAhead } from './map-ahead.js';

async function* numbers(count: number, asked: number[] = []) {
  for (let number = 1; number <= count; number += 1) {
    asked.push(number);
    yield number;
  }
}

async function collect(values: AsyncIterable<number>) {
  const all = [];
  for await (const value of values) all.push(value);
  return all;
}

describe('mapAhead', () => {
  it.each([0, 1, 2, 3, 7])('with %i values, maps them in order, whichever ends first', async (count) => {
    const map = async (number: number) => {
      for (let turn = number; turn < 8; turn += 1) await Promise.resolve();
      return number * 10;
    };
    const expected = Array.from({ length: count }, (_, index) => (index + 1) * 10);
    expect(await collect(mapAhead(numbers(count), 3, map))).toEqual(expected);
  });

  it('with a slow reader, maps as many ahead as allowed', async () => {
    const asked: number[] = [];
    const mapped = mapAhead(numbers(10, asked), 3, async (number) => number);
    expect((await mapped.next()).value).toBe(1);
    expect(asked).toEqual([1, 2, 3]);
    await mapped.return(undefined);
  });

  it('with a failure ahead, fails in its turn', async () => {
    const map = (number: number) =>
      number === 2 ? Promise.reject(new Error('no')) : Promise.resolve(number);
    const mapped = mapAhead(numbers(5), 3, map);
    expect((await mapped.next()).value).toBe(1);
    await new Promise(setImmediate);
    await expect(mapped.next()).rejects.toThrow('no');
  });

  it('when the reader leaves, waits for the work in progress', async () => {
    let ended = 0;
    const map = async (number: number) => {
      await new Promise(setImmediate);
      ended += 1;
      return number;
    };
    const mapped = mapAhead(numbers(9), 3, map);
    await mapped.next();
    await mapped.return(undefined);
    expect(ended).toBe(3);
  });
});
