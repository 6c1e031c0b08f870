import { describe, expect, it } from 'vitest';
import { isRangeApplicable, readRange } from './send-file.js';

const modifiedMs = Date.UTC(2026, 4, 1, 8, 0, 0, 500);
const file = { etag: '"a-b-c"', modifiedMs };
const date = (at: number) => new Date(at).toUTCString();

describe('isRangeApplicable', () => {
  it.each([[{}], [{ 'if-range': '"a-b-c"' }], [{ 'if-range': date(modifiedMs) }]])(
    '%j, allows a part',
    (headers) => {
      expect(isRangeApplicable(headers, file)).toBe(true);
    },
  );

  it.each([
    [{ 'if-range': '"other"' }],
    [{ 'if-range': 'W/"a-b-c"' }],
    [{ 'if-range': date(modifiedMs + 1_000) }],
    [{ 'if-range': 'nonsense' }],
  ])('%j, requires the whole', (headers) => {
    expect(isRangeApplicable(headers, file)).toBe(false);
  });
});

const size = 1_000;

describe('readRange', () => {
  it.each([
    ['bytes=0-99', 0, 99],
    ['bytes=0-0', 0, 0],
    ['bytes=500-', 500, 999],
    ['bytes=999-', 999, 999],
    ['bytes=900-5000', 900, 999],
    ['bytes=-1', 999, 999],
    ['bytes=-1000', 0, 999],
    ['bytes=-5000', 0, 999],
    ['Bytes=0-1', 0, 1],
    ['bytes= 0-1 ', 0, 1],
  ])('%s of a thousand bytes, is %i to %i', (header, first, last) => {
    expect(readRange(header, size)).toEqual({ first, last });
  });

  it.each(['bytes=1000-', 'bytes=1000-1001', 'bytes=-0', 'bytes=99999999999999999999-'])(
    '%s of a thousand bytes, cannot be satisfied',
    (header) => {
      expect(readRange(header, size)).toBe('unsatisfiable');
    },
  );

  it.each([
    undefined,
    '',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'bytes=5-2',
    'bytes=0-1,5-9',
    'items=0-1',
    'bytes 0-1',
    'bytes=1.5-2',
    'bytes=--5',
  ])('%j, is undefined', (header) => {
    expect(readRange(header, size)).toBeUndefined();
  });

  it.each(['bytes=0-', 'bytes=-5'])('%s of an empty file, cannot be satisfied', (header) => {
    expect(readRange(header, 0)).toBe('unsatisfiable');
  });
});
