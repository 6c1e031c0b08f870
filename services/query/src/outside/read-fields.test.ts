import { describe, expect, it } from 'vitest';
import { fieldsOf, numberOrNull, textOrNull } from './read-fields.js';

describe('fieldsOf', () => {
  it.each([null, undefined, 3, 'text', [], [{ a: 1 }]])('%j, has no fields', (value) => {
    expect(fieldsOf(value)).toEqual({});
  });

  it('an object, is itself', () => {
    const value = { a: 1 };
    expect(fieldsOf(value)).toBe(value);
  });
});

describe('numberOrNull', () => {
  it.each([
    [12.5, 12.5],
    [0, 0],
    ['-3.5', -3.5],
    [' 7 ', 7],
    ['', null],
    [' ', null],
    ['warm', null],
    [Number.NaN, null],
    ['Infinity', null],
    [null, null],
    [undefined, null],
    [true, null],
    [[5], null],
    [{}, null],
  ])('%j, is %j', (value, expected) => {
    expect(numberOrNull(value)).toBe(expected);
  });
});

describe('textOrNull', () => {
  it.each([
    [' Rain ', 'Rain'],
    ['', null],
    ['  ', null],
    [5, null],
    [null, null],
    [{}, null],
  ])('%j, is %j', (value, expected) => {
    expect(textOrNull(value)).toBe(expected);
  });
});
