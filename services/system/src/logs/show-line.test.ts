import { describe, expect, it } from 'vitest';
import { longestLine, showBytes, showText } from './show-line.js';

describe('showText', () => {
  it.each([
    ['plain', 'plain'],
    ['a\tb', 'a\tb'],
    ['\x1b[31mred\x1b[0m', '\\u001b[31mred\\u001b[0m'],
    ['a\0b\x7fc\x85d', 'a\\u0000b\\u007fc\\u0085d'],
    ['end\r', 'end'],
    ['a\rb', 'a\\u000db'],
    ['\u202egnp.exe', '\\u202egnp.exe'],
    ['a\u2028b', 'a\\u2028b'],
    ['Kohlmeise über Žluťásek 🐦', 'Kohlmeise über Žluťásek 🐦'],
  ])('%j, is %j', (line, shown) => {
    expect(showText(line)).toBe(shown);
  });

  it('a line of just the longest length, is shown whole, and one byte more is cut', () => {
    expect(showText('x'.repeat(longestLine))).toBe('x'.repeat(longestLine));
    expect(showText('x'.repeat(longestLine + 1))).toBe(`${'x'.repeat(longestLine)}…`);
  });

  it('a character over the cut, is left out whole', () => {
    expect(showText(`${'x'.repeat(longestLine - 1)}ü`)).toBe(`${'x'.repeat(longestLine - 1)}…`);
  });
});

describe('showBytes', () => {
  it('bytes that are no UTF-8, are shown as such and never thrown at', () => {
    expect(showBytes(Buffer.from([0x61, 0xff, 0xc3, 0x28, 0xe2, 0x82]), false)).toBe('a\ufffd\ufffd(\ufffd');
  });
});
