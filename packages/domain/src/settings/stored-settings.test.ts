import { describe, expect, it } from 'vitest';
import { changedKeys, type StoredSettings, withoutAddedDefaults } from './stored-settings.js';

describe('changedKeys', () => {
  it.each<[StoredSettings, StoredSettings, string[]]>([
    [{ a: { x: 1, y: [1] } }, { a: { y: [1], x: 1 } }, []],
    [{ b: { x: 1 } }, { b: { x: 2 }, a: { z: null } }, ['a.z', 'b.x']],
    [{ a: { x: 1 } }, {}, ['a.x']],
    [{ a: { x: { y: 1 } } }, { a: { x: { y: 2 } } }, ['a.x']],
    [{ a: 1, b: [1], c: {} }, { a: { x: 1 }, b: [2] }, ['a', 'b', 'c']],
    [{}, { a: {} }, ['a']],
  ])('from %j to %j, are %j', (before, after, keys) => {
    expect(changedKeys(before, after)).toEqual(keys);
  });
});

describe('withoutAddedDefaults', () => {
  it.each<[StoredSettings, StoredSettings, StoredSettings]>([
    [{}, { visits: { gap_seconds: 60 }, mqtt: { port: 5, username: '' } }, { mqtt: { port: 5 } }],
    [{ visits: { gap_seconds: 90 } }, { visits: { gap_seconds: 60 } }, { visits: { gap_seconds: 60 } }],
    [{}, { general: { timezone: 'Asia/Tehran' }, video: { cameras: [] } }, {}],
    [
      { general: { timezone: 'UTC' } },
      { general: { timezone: '', app_name: 'x' } },
      { general: { app_name: 'x' } },
    ],
    [{}, { own: {}, visits: { own: null } }, { own: {}, visits: { own: null } }],
  ])('%j that became %j, is %j', (before, after, kept) => {
    expect(withoutAddedDefaults(before, after, 'Asia/Tehran')).toEqual(kept);
  });
});
