import { describe, expect, it } from 'vitest';
import { fittingRows } from './species-tables.js';

describe('fittingRows', () => {
  const rows = [1, 2, 3, 4, 5];
  it.each([
    [100, rows],
    [41, [1, 2, 3, 4]],
    [10, [1, 2, 3]],
  ])('in %i points, leave %j of rows of ten', (room, fitting) => {
    expect(fittingRows(rows, () => 10, room)).toEqual(fitting);
  });
});
