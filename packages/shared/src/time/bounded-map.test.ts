import { describe, expect, it } from 'vitest';
import { BoundedMap } from './bounded-map.js';

describe('BoundedMap', () => {
  it('getOrAdd of a stored key, does not make it again', () => {
    const map = new BoundedMap<string, { key: string }>(2);
    const first = map.getOrAdd('a', (key) => ({ key }));
    expect(map.getOrAdd('a', (key) => ({ key }))).toBe(first);
  });

  it('getOrAdd of one key more than its size, drops only the oldest', () => {
    const map = new BoundedMap<string, { key: string }>(2);
    const made: string[] = [];
    const ask = (key: string) =>
      map.getOrAdd(key, () => {
        made.push(key);
        return { key };
      });
    for (const key of ['a', 'b', 'c', 'b', 'c', 'a']) ask(key);
    expect(made).toEqual(['a', 'b', 'c', 'a']);
  });
});
