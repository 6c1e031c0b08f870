import { describe, expect, it } from 'vitest';
import { idOf, isTrue, numberOf, restOf, textOf } from './old-hub.js';

describe('cells of the old database', () => {
  it.each([
    ['a\u0000b\n', 'a b'],
    ['  ', undefined],
    [5, undefined],
    [null, undefined],
    ['\ud800x', '\ufffdx'],
  ])('textOf, %j, returns %j', (value, expected) => {
    expect(textOf({ value }, 'value')).toBe(expected);
  });

  it('textOf, a text cut within a character, returns well-formed Unicode', () => {
    expect(textOf({ name: 'a🐦' }, 'name', 2)?.isWellFormed()).toBe(true);
  });

  it.each([
    [1.5, 1.5, undefined],
    [7, 7, 7],
    [2 ** 60, 2 ** 60, undefined],
    [Number.POSITIVE_INFINITY, undefined, undefined],
    ['7', undefined, undefined],
  ])('numberOf and idOf, %j, return %j and %j', (value, number, id) => {
    expect([numberOf({ value }, 'value'), idOf({ value }, 'value')]).toEqual([number, id]);
  });

  it.each([
    [1, true],
    ['true', true],
    [0, false],
    ['false', false],
    [null, false],
  ])('isTrue, %j, returns %j', (value, expected) => {
    expect(isTrue({ value }, 'value')).toBe(expected);
  });

  it('restOf, known and unknown columns, keeps the unknown ones that have a value', () => {
    const row = { id: 1, weight: 0.5, note: 'x', empty: null, blob: new Uint8Array(2) };
    expect(restOf(row, new Set(['id']))).toEqual({ weight: 0.5, note: 'x' });
    expect(restOf({ id: 1 }, new Set(['id']))).toBeNull();
  });
});
