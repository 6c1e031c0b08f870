import { describe, expect, it } from 'vitest';
import { splitFontRuns } from './font-runs.js';
import { isInRanges, parseRanges } from './unicode-ranges.js';

const fontOf = (codePoint: number) => (codePoint < 0x2e80 ? 'latin' : 'chinese');

describe('splitFontRuns', () => {
  it('one script, is one run', () => {
    expect(splitFontRuns('Žluna šedá', fontOf)).toEqual([{ font: 'latin', text: 'Žluna šedá' }]);
  });

  it('two scripts, are cut where they meet', () => {
    expect(splitFontRuns('大山雀 (Great Tit)', fontOf)).toEqual([
      { font: 'chinese', text: '大山雀' },
      { font: 'latin', text: ' (Great Tit)' },
    ]);
  });

  it('a mark, stays with its letter', () => {
    const marks = (codePoint: number) => (codePoint > 0x300 ? 'marks' : 'letters');
    expect(splitFontRuns('s\u030ce', marks)).toEqual([{ font: 'letters', text: 's\u030ce' }]);
  });

  it('no text, is no run', () => {
    expect(splitFontRuns('', fontOf)).toEqual([]);
  });
});

describe('parseRanges', () => {
  const ranges = parseRanges('U+4e00-4e02, U+20000,u+5341');

  it.each([
    [0x4dff, false],
    [0x4e00, true],
    [0x4e02, true],
    [0x4e03, false],
    [0x20000, true],
    [0x5341, true],
  ])("a style sheet's ranges, have %i: %s", (codePoint, isIn) => {
    expect(isInRanges(ranges, codePoint)).toBe(isIn);
  });
});
