import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedKeys, mergeSettings, withoutAddedDefaults } from './merge-settings.js';
import type { StoredSettings } from './schema.js';
import { maskSecrets } from './secrets.js';

type Json = Record<string, unknown>;

describe('mergeSettings', () => {
  it.each<[string, Json, Json, Json]>([
    ['a key of a group', { a: { x: 1, y: 2 } }, { a: { y: 3 } }, { a: { x: 1, y: 3 } }],
    [
      'a key at any depth',
      { a: { b: { c: { x: 1 } } } },
      { a: { b: { c: { y: 2 } } } },
      { a: { b: { c: { x: 1, y: 2 } } } },
    ],
    ['nothing', { a: { x: 1 } }, {}, { a: { x: 1 } }],
    ['an empty group', { a: { x: 1 } }, { a: {} }, { a: { x: 1 } }],
    ['a group over a value', { a: 1 }, { a: { x: 1 } }, { a: { x: 1 } }],
    ['a value over a group', { a: { x: 1 } }, { a: 1 }, { a: 1 }],
    ['null at an unknown key', { a: { x: 1 } }, { a: { x: null }, b: null }, { a: { x: null }, b: null }],
    [
      'null at a known key',
      { ui: { unknown_confidence_threshold: 0.9 } },
      { ui: { unknown_confidence_threshold: null } },
      { ui: {} },
    ],
    ['null in a list', { a: [1] }, { a: [null, 1] }, { a: [null, 1] }],
    ['a list', { a: { x: [1, 2, 3] } }, { a: { x: [4] } }, { a: { x: [4] } }],
    ['an object in a list', { a: [{ id: 1, x: 1 }] }, { a: [{ id: 1, y: 2 }] }, { a: [{ id: 1, y: 2 }] }],
    [
      'a record with free keys',
      { ebird: { species_mapping: { a: 'b', e: 'f' } } },
      { ebird: { species_mapping: { a: null, c: 'd' } } },
      { ebird: { species_mapping: { e: 'f', c: 'd' } } },
    ],
    [
      'an unknown key of a known group',
      { visits: { own: { x: 1 } } },
      { visits: { own: { y: 2 } } },
      { visits: { own: { x: 1, y: 2 } } },
    ],
  ])('%s, is merged', (_, stored, change, merged) => {
    expect(mergeSettings(stored, change)).toEqual(merged);
  });

  it.each<[string, Json, Json, Json]>([
    [
      'mask keeps a known secret',
      { mqtt: { password: 'x' } },
      { mqtt: { password: '***' } },
      { mqtt: { password: 'x' } },
    ],
    ['mask without a stored secret', { a: {} }, { a: { token: '***' } }, { a: {} }],
    ['null clears a known secret', { mqtt: { password: 'x' } }, { mqtt: { password: null } }, { mqtt: {} }],
    [
      'an empty text clears a known secret',
      { mqtt: { password: 'x' } },
      { mqtt: { password: '' } },
      { mqtt: {} },
    ],
    ['null clears an unknown secret', { a: { token: 'x' } }, { a: { token: null } }, { a: { token: '' } }],
    [
      'an empty text clears an unknown secret',
      { a: { token: 'x' } },
      { a: { token: '' } },
      { a: { token: '' } },
    ],
    [
      'mask within a list, by id',
      {
        a: [
          { id: 1, token: 'x' },
          { id: 2, token: 'y' },
        ],
      },
      { a: [{ id: 2, token: '***' }] },
      { a: [{ id: 2, token: 'y' }] },
    ],
    [
      'mask within a list, with an unknown id',
      { a: [{ id: 1, token: 'x' }] },
      { a: [{ id: 3, token: '***' }] },
      { a: [{ id: 3 }] },
    ],
    [
      'mask within a list, by position',
      { a: [{ token: 'x' }, { token: 'y' }] },
      { a: [{ token: 'n' }, { token: '***' }] },
      { a: [{ token: 'n' }, { token: 'y' }] },
    ],
    ['mask as an entry', { tokens: ['x', 'y'] }, { tokens: ['***', 'z', '***'] }, { tokens: ['x', 'z', ''] }],
    [
      'a count with a plural name',
      { a: { max_tokens: 5 } },
      { a: { max_tokens: null } },
      { a: { max_tokens: null } },
    ],
  ])('secrets: %s', (_, stored, change, merged) => {
    expect(mergeSettings(stored, change)).toEqual(merged);
  });

  it('a mask at a key that is not secret, is stored as a text', () => {
    expect(mergeSettings({}, { general: { app_name: '***' } })).toEqual({ general: { app_name: '***' } });
  });

  it('an equal secret, keeps its stored form', () => {
    const isSame = (stored: unknown, given: unknown) => stored === 'X' && given === 'x';
    expect(mergeSettings({ a: { token: 'X', name: 'X' } }, { a: { token: 'x', name: 'x' } }, isSame)).toEqual(
      {
        a: { token: 'X', name: 'x' },
      },
    );
  });

  const nested = (depth: number): Json => (depth === 0 ? {} : { a: nested(depth - 1) });
  it.each<[string, Json, string]>([
    ['a known group that is a list', { visits: [] }, '/visits'],
    ['a known group that is null', { visits: null }, '/visits'],
    ['a mask for the group of secrets', { secrets: '***' }, '/secrets'],
    ['an infinite value', { a: { x: Number.POSITIVE_INFINITY } }, '/a/x'],
    ['a text with NUL', { a: ['ok', 'no\0'] }, '/a/1'],
    ['half a surrogate pair', { a: '\ud800' }, '/a'],
    ['a name with NUL', { 'a\0': 1 }, '/a\0'],
    ['a slash and a tilde in a name', { a: { 'b/~': '\0' } }, '/a/b~1~0'],
    ['33 levels', nested(34), '/a'.repeat(33)],
  ])('%s, is rejected with its path', (_, change, path) => {
    expect(() => mergeSettings({}, change)).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: [expect.objectContaining({ path })] }),
    );
  });

  it('keys such as __proto__, do not change a prototype', () => {
    const change = JSON.parse(
      '{"__proto__": {"polluted": 1}, "a": {"constructor": {"prototype": {"polluted": 1}}}}',
    );
    const merged = mergeSettings({ a: {} }, change);
    expect({}).not.toHaveProperty('polluted');
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  });

  const key = fc.constantFrom('a', 'b', 'token', 'general', 'app_name', 'mqtt', 'password', 'secrets', 'id');
  const leaf = fc.constantFrom<unknown>('x', 'y', '', '***', 0, 1, true, null);
  const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 3 }),
    ),
  }));
  const group = fc.dictionary(key, anyValue, { maxKeys: 3 });
  const known = new Set(['general', 'mqtt', 'secrets']);
  const settings = fc
    .dictionary(key, anyValue, { maxKeys: 4 })
    .chain((values) =>
      fc.record(
        Object.fromEntries(Object.keys(values).map((name) => [name, known.has(name) ? group : anyValue])),
      ),
    );
  const stored = settings.map((change) => mergeSettings({}, change));

  it('any masked settings sent back, change nothing', () => {
    fc.assert(
      fc.property(stored, (before) => {
        expect(mergeSettings(before, maskSecrets(before) as Json)).toEqual(before);
      }),
    );
  });

  it('any change applied twice, has the effect of one', () => {
    fc.assert(
      fc.property(stored, settings, (before, change) => {
        const once = mergeSettings(before, change);
        expect(mergeSettings(once, change)).toEqual(once);
      }),
    );
  });

  it('changes of different groups, have the same result in any order', () => {
    fc.assert(
      fc.property(
        stored,
        fc.uniqueArray(fc.tuple(key, group), { selector: ([name]) => name }),
        (before, changes) => {
          const apply = (list: typeof changes) =>
            list.reduce<Json>((value, [name, values]) => mergeSettings(value, { [name]: values }), before);
          expect(apply(changes)).toEqual(apply([...changes].reverse()));
          expect(apply(changes)).toEqual(mergeSettings(before, Object.fromEntries(changes)));
        },
      ),
    );
  });

  it('any change, mutates none of its arguments', () => {
    fc.assert(
      fc.property(stored, settings, (before, change) => {
        const copies = structuredClone([before, change]);
        mergeSettings(before, change);
        expect([before, change]).toEqual(copies);
      }),
    );
  });
});

describe('changedKeys', () => {
  it.each<[StoredSettings, StoredSettings, string[]]>([
    [{ a: { x: 1, y: [1] } }, { a: { y: [1], x: 1 } }, []],
    [{ b: { x: 1 } }, { b: { x: 2 }, a: { z: null } }, ['a.z', 'b.x']],
    [{ a: { x: 1 } }, {}, ['a.x']],
    [{ a: { x: { y: 1 } } }, { a: { x: { y: 2 } } }, ['a.x']],
    [{ a: 1, b: [1], c: {} }, { a: { x: 1 }, b: [2] }, ['a', 'b', 'c']],
    [{}, { a: {} }, ['a']],
  ])('from %j to %j, returns %j', (before, after, keys) => {
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
  ])('%j changed to %j, returns %j', (before, after, kept) => {
    expect(withoutAddedDefaults(before, after, 'Asia/Tehran')).toEqual(kept);
  });
});
