import { describe, expect, it } from 'vitest';
import { escapeBytes, escapeText, maxLineBytes } from './logs.js';

describe('escapeText', () => {
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
  ])('%j, becomes %j', (line, shown) => {
    expect(escapeText(line)).toBe(shown);
  });

  it('a line of exactly the maximum length, is complete, and one byte more is cut', () => {
    expect(escapeText('x'.repeat(maxLineBytes))).toBe('x'.repeat(maxLineBytes));
    expect(escapeText('x'.repeat(maxLineBytes + 1))).toBe(`${'x'.repeat(maxLineBytes)}…`);
  });

  it('a character at the cut, is left out', () => {
    expect(escapeText(`${'x'.repeat(maxLineBytes - 1)}ü`)).toBe(`${'x'.repeat(maxLineBytes - 1)}…`);
  });
});

describe('escapeBytes', () => {
  it('invalid UTF-8, is replaced and does not throw', () => {
    expect(escapeBytes(Buffer.from([0x61, 0xff, 0xc3, 0x28, 0xe2, 0x82]), false)).toBe(
      'a\ufffd\ufffd(\ufffd',
    );
  });
});
