import { describe, expect, it } from 'vitest';
import { busiestNinth, heatPixels } from './busiest-place';

const grid = (...filled: readonly (readonly [column: number, row: number, count: number])[]) => {
  const cells = new Array<number>(32 * 18).fill(0);
  for (const [column, row, count] of filled) cells[row * 32 + column] = count;
  return { cells, columns: 32, rows: 18 };
};

describe('busiestNinth', () => {
  it.each([
    ['top_left', [0, 0, 1]],
    ['centre', [16, 9, 1]],
    ['bottom_right', [31, 17, 1]],
    ['left', [10, 6, 1]],
  ] as const)('with one bird, returns %s', (place, cell) => {
    expect(busiestNinth(grid(cell))).toBe(place);
  });

  it('with many birds, returns the place with the most', () => {
    expect(busiestNinth(grid([0, 0, 2], [16, 17, 3]))).toBe('bottom');
  });

  it('without birds, returns undefined', () => {
    expect(busiestNinth(grid())).toBeUndefined();
  });
});

describe('heatPixels', () => {
  it('with counts, keeps empty cells clear and makes the busiest the most opaque', () => {
    const pixels = heatPixels({ cells: [0, 1, 100] });
    expect([...pixels.slice(8)]).toEqual([220, 45, 45, 215]);
    expect([pixels[3], (pixels[7] ?? 0) > 0 && (pixels[7] ?? 0) < 215]).toEqual([0, true]);
  });

  it('without birds, is clear everywhere', () => {
    expect(Math.max(...heatPixels({ cells: [0, 0] }).filter((_, at) => at % 4 === 3))).toBe(0);
  });
});
