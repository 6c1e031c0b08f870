import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Box, iou } from './box.js';

const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const anyBox = fc.tuple(fraction, fraction, fraction, fraction) as fc.Arbitrary<Box>;

describe('iou', () => {
  it.each<[Box, Box, number]>([
    [[0, 0, 1, 1], [0, 0, 1, 1], 1],
    [[0, 0, 0.5, 1], [0.5, 0, 1, 1], 0],
    [[0, 0, 0.5, 1], [0.25, 0, 0.75, 1], 1 / 3],
    [[0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5], 0],
  ])('%j and %j, is %d', (one, other, expected) => {
    expect(iou(one, other)).toBeCloseTo(expected, 9);
  });

  it('any two boxes, is a part and the same in either order', () => {
    fc.assert(
      fc.property(anyBox, anyBox, (one, other) => {
        expect(iou(one, other)).toBeGreaterThanOrEqual(0);
        expect(iou(one, other)).toBeLessThanOrEqual(1 + 1e-9);
        expect(iou(one, other)).toBeCloseTo(iou(other, one), 12);
      }),
    );
  });
});
