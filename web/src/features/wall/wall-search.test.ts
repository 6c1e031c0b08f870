import { describe, expect, it, test } from 'vitest';
import { isDimmedAt, wallSearch } from './wall-search';

describe('wallSearch', () => {
  it('with valid parameters, keeps them', () => {
    const given = { eink: 1, lang: 'de', camera: 'garden', theme: 'dark', interval: 300, dim: '22-6' };
    expect(wallSearch(given)).toEqual(given);
    expect(wallSearch({ camera: 7, eink: '1', interval: '60' })).toEqual({
      camera: '7',
      eink: 1,
      interval: 60,
    });
  });

  it('with invalid parameters, drops them and limits the interval', () => {
    const given = { eink: 0, lang: 'toString', camera: '', theme: 'pink', interval: 'often', dim: '25-6' };
    expect(wallSearch(given)).toEqual({});
    expect(wallSearch({ camera: 'x'.repeat(65), interval: [5] })).toEqual({});
    expect(wallSearch({ interval: 1 })).toEqual({ interval: 10 });
    expect(wallSearch({ interval: 1e9 })).toEqual({ interval: 3600 });
  });
});

test.each([
  ['22-6', 22, true],
  ['22-6', 5, true],
  ['22-6', 6, false],
  ['22-6', 12, false],
  ['1-5', 1, true],
  ['1-5', 5, false],
  [undefined, 23, false],
])('isDimmedAt, with %s at %i, is %s', (dim, hour, expected) => {
  expect(isDimmedAt(dim, hour)).toBe(expected);
});
