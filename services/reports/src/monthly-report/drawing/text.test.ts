import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortenText, splitFontRuns, splitGraphemes, wrapText } from './text.js';

/** Every character is one point wide. */
const measure = (text: string) => splitGraphemes(text).length;

describe('shortenText', () => {
  it.each([
    ['Great Tit', 9, 'Great Tit'],
    ['Great Tit', 8, 'Great T…'],
    ['Great Tit', 7, 'Great…'],
    ['Swallow, juvenile', 10, 'Swallow…'],
    ['Žluna šedá', 3, 'Žl…'],
    ['👩‍🌾👩‍🌾👩‍🌾', 2, '👩‍🌾…'],
  ])('%s in %i points, becomes %s', (text, width, short) => {
    expect(shortenText(text, width, measure)).toBe(short);
  });
});

describe('wrapText', () => {
  it.each([
    ['Great Tit', 20, 2, ['Great Tit']],
    ['Great Spotted Woodpecker', 14, 2, ['Great Spotted', 'Woodpecker']],
    ['Black-throated Green Warbler', 15, 2, ['Black-throated', 'Green Warbler']],
    ['Great Spotted Woodpecker of the north', 14, 2, ['Great Spotted', 'Woodpecker of…']],
    ['红嘴蓝鹊和朋友', 4, 2, ['红嘴蓝鹊', '和朋友']],
    ['Unbreakable', 5, 2, ['Unbr…']],
    ['', 5, 2, []],
  ])('%s in %i points and %i lines, becomes %j', (text, width, lines, wrapped) => {
    expect(wrapText(text, width, measure, lines)).toEqual(wrapped);
  });

  it('any text, has lines that fit and no more than allowed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 30 }), (text, width) => {
        const lines = wrapText(text, width, measure, 3);
        expect(lines.length).toBeLessThanOrEqual(3);
        for (const line of lines) expect(measure(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('splitFontRuns', () => {
  const fontOf = (codePoint: number) => (codePoint < 0x2e80 ? 'latin' : 'chinese');

  it('one script, is one run', () => {
    expect(splitFontRuns('Žluna šedá', fontOf)).toEqual([{ font: 'latin', text: 'Žluna šedá' }]);
  });

  it('two scripts, are split where they meet', () => {
    expect(splitFontRuns('大山雀 (Great Tit)', fontOf)).toEqual([
      { font: 'chinese', text: '大山雀' },
      { font: 'latin', text: ' (Great Tit)' },
    ]);
  });

  it('a mark, stays with its letter', () => {
    const marks = (codePoint: number) => (codePoint > 0x300 ? 'marks' : 'letters');
    expect(splitFontRuns('s\u030ce', marks)).toEqual([{ font: 'letters', text: 's\u030ce' }]);
  });

  it('no text, has no runs', () => {
    expect(splitFontRuns('', fontOf)).toEqual([]);
  });
});
