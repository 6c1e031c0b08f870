import { describe, expect, it } from 'vitest';
import { toMarkdown, toText } from './table.js';

const table = [
  ['case', 'p50', 'goal'],
  ['timeline', '1.25', '≤ 2'],
  ['a', '100', 'x|y'],
];

describe('toText', () => {
  it('with columns of different widths, aligns them with numbers to the right', () => {
    expect(toText(table)).toBe(
      ['case      p50   goal', 'timeline  1.25  ≤ 2', 'a          100  x|y'].join('\n'),
    );
  });
});

describe('toMarkdown', () => {
  it('with a bar in a cell, keeps the number of columns', () => {
    expect(toMarkdown(table)).toBe(
      ['| case | p50 | goal |', '|---|---|---|', '| timeline | 1.25 | ≤ 2 |', '| a | 100 | x\\|y |'].join(
        '\n',
      ),
    );
  });
});
