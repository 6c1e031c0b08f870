import { describe, expect, it } from 'vitest';
import { placeSlice } from './sound-slice';

describe('placeSlice', () => {
  it.each([
    ['in the middle, has it in the middle', { from: 10, to: 14 }, 40, { width: 800, left: -190 }],
    ['that is short, has three seconds', { from: 10, to: 10.5 }, 30, { width: 1000, left: -291.6667 }],
    ['at the start, begins with the recording', { from: 0, to: 1 }, 30, { width: 1000, left: 0 }],
    ['at the end, ends with the recording', { from: 29, to: 30 }, 30, { width: 1000, left: -900 }],
    ['as long as the recording, is all of it', { from: 0, to: 30 }, 30, { width: 100, left: 0 }],
    ['of a recording of a second, is all of it', { from: 0, to: 1 }, 1, { width: 100, left: 0 }],
  ])('a stretch %s', (_, stretch, seconds, { width, left }) => {
    const place = placeSlice(stretch, seconds);
    expect(place?.width).toBeCloseTo(width, 3);
    expect(place?.left).toBeCloseTo(left, 3);
  });

  it('a recording without length, has none', () => {
    expect(placeSlice({ from: 0, to: 1 }, 0)).toBeUndefined();
    expect(placeSlice({ from: 0, to: 1 }, Number.NaN)).toBeUndefined();
  });
});
