import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  fieldsOf,
  fingerprint,
  numberOrNull,
  requestUrl,
  textOrNull,
  userAgent,
} from './external-service.js';

it('userAgent, of the hub, returns its name and version', () => {
  const version = readFileSync(new URL('../../../../VERSION', import.meta.url), 'utf8').trim();
  expect(userAgent).toContain(`Birdhub/${version} (`);
});

describe('requestUrl', () => {
  it.each(['http://h/v2', 'http://h/v2/', 'http://h/v2//'])(
    'the base %s, keeps its own path once',
    (base) => {
      expect(requestUrl(base, '/data/obs').href).toBe('http://h/v2/data/obs');
    },
  );

  it('parameters, are escaped, and undefined ones are left out', () => {
    const url = requestUrl('http://h', '/r', { query: 'gen:"Parus"&x', key: undefined, back: 30 });
    expect([...url.searchParams]).toEqual([
      ['query', 'gen:"Parus"&x'],
      ['back', '30'],
    ]);
  });
});

describe('fingerprint', () => {
  it('of the same parts, is the same short text without any of them', () => {
    expect(fingerprint('open-meteo', 'secret')).toBe(fingerprint('open-meteo', 'secret'));
    expect(fingerprint('secret')).toMatch(/^[\w-]{16}$/);
  });

  it.each([
    [['a', 'b'], ['ab']],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [['1'], [1]],
    [['a'], ['a', undefined]],
  ])('of %j and of %j, differ', (one, other) => {
    expect(fingerprint(...one)).not.toBe(fingerprint(...other));
  });
});

describe('fieldsOf', () => {
  it.each([null, undefined, 3, 'text', [], [{ a: 1 }]])('%j, has no fields', (value) => {
    expect(fieldsOf(value)).toEqual({});
  });

  it('an object, is returned', () => {
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
