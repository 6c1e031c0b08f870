import { describe, expect, it } from 'vitest';
import type { Box } from './box.js';
import { followBoxes } from './follow-boxes.js';

const at = (x: number, y = 0.2): Box => [x, y, x + 0.1, y + 0.1];
const times = (count: number) => Array.from({ length: count }, (_, index) => index / 5);

describe('followBoxes', () => {
  it('two birds that pass each other above and below, are two tracks', () => {
    const tracks = followBoxes(
      times(9).map((t, index) => ({ t, boxes: [at(0.1 + index * 0.08), at(0.74 - index * 0.08, 0.7)] })),
    );
    expect(tracks.map((track) => track.map(({ bbox }) => bbox[1]))).toEqual([
      Array(9).fill(0.2),
      Array(9).fill(0.7),
    ]);
  });

  it('a bird that is lost for a moment, is the same', () => {
    const seen = times(10).map((t, index) => ({ t, boxes: index === 4 ? [] : [at(0.1 + index * 0.02)] }));
    expect(followBoxes(seen).map((track) => track.length)).toEqual([9]);
  });

  it('a bird that comes to the place of another later, is another', () => {
    const seen = times(30).map((t, index) => ({ t, boxes: index > 9 && index < 20 ? [] : [at(0.1)] }));
    expect(followBoxes(seen).map((track) => track.length)).toEqual([10, 10]);
  });

  it('what is seen for a moment, is no bird', () => {
    expect(followBoxes(times(2).map((t) => ({ t, boxes: [at(0.1)] })))).toEqual([]);
  });
});
