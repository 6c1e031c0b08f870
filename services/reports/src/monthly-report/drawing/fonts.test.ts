import { describe, expect, it } from 'vitest';
import { isInRanges, parseRanges } from './fonts.js';

describe('parseRanges', () => {
  const ranges = parseRanges('U+4e00-4e02, U+20000,u+5341');

  it.each([
    [0x4dff, false],
    [0x4e00, true],
    [0x4e02, true],
    [0x4e03, false],
    [0x20000, true],
    [0x5341, true],
  ])('the ranges of a style sheet, contain %i: %s', (codePoint, isIn) => {
    expect(isInRanges(ranges, codePoint)).toBe(isIn);
  });
});
