import type { Frame } from '@birdhub/domain/recordings';
import { describe, expect, it } from 'vitest';
import { boxAt } from './select-images.js';

const at = (t: number, corner: number): Frame => ({ t, bbox: [corner, 0, corner + 0.5, 1] });

describe('boxAt', () => {
  const frames = [at(2, 0.5), at(1, 0.25), at(5, 0)];

  it.each([
    ['at a box, is that box', 2, 0.5],
    ['between two boxes, is in proportion', 1.5, 0.375],
    ['shortly before the first, is the first', 0.95, 0.25],
    ['shortly after one, is that one', 2.05, 0.5],
  ])('%s', (_, t, corner) => {
    expect(boxAt(frames, t)?.[0]).toBeCloseTo(corner);
  });

  it.each([
    ['long before the first', 0.5],
    ['in a long gap', 3],
    ['long after the last', 6],
  ])('%s, is undefined', (_, t) => {
    expect(boxAt(frames, t)).toBeUndefined();
  });

  it('no boxes, is undefined', () => {
    expect(boxAt([], 1)).toBeUndefined();
  });
});
