import { describe, expect, it } from 'vitest';
import { BoundedMap } from './bounded-map.js';

describe('BoundedMap', () => {
  it('getOrAdd of a stored key, does not create it again', () => {
    const map = new BoundedMap<string, { key: string }>(2);
    const first = map.getOrAdd('a', (key) => ({ key }));
    expect(map.getOrAdd('a', (key) => ({ key }))).toBe(first);
  });

  it('getOrAdd of one key more than its size, drops the oldest only', () => {
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

  it('set of one key more than its size, drops the oldest, and a known key keeps its age', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
    expect([...map]).toEqual([
      ['b', 2],
      ['c', 4],
    ]);
  });
});
