import { describe, expect, it } from 'vitest';
import { boxesPerDetection, drawBoxes } from './box-track.js';

interface Box {
  readonly t: number;
  readonly bbox: readonly [number, number, number, number];
}

const read = (text: string): Box[] => JSON.parse(text);

describe('drawBoxes', () => {
  it('for many tracks, keeps boxes inside the picture with their corners in order', () => {
    for (let id = 1; id <= 200; id += 1) {
      for (const { bbox } of read(drawBoxes({ id, startOffset: 0, endOffset: 9_000 }, boxesPerDetection))) {
        const [left, top, right, bottom] = bbox;
        expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
        expect(Math.max(right, bottom)).toBeLessThanOrEqual(1);
        expect(right).toBeGreaterThan(left);
        expect(bottom).toBeGreaterThan(top);
      }
    }
  });

  it('for a track, spreads the times from the start of the detection to its end', () => {
    const boxes = read(drawBoxes({ id: 7, startOffset: 1_500, endOffset: 7_250 }, boxesPerDetection));
    expect(boxes.length).toBe(boxesPerDetection);
    expect([boxes[0]?.t, boxes.at(-1)?.t]).toEqual([1.5, 7.25]);
    expect(boxes.every(({ t }, index) => index === 0 || t > (boxes[index - 1]?.t ?? t))).toBe(true);
  });

  it('with a single box, places it at the start', () => {
    expect(read(drawBoxes({ id: 7, startOffset: 2_000, endOffset: 3_000 }, 1)).map(({ t }) => t)).toEqual([
      2,
    ]);
  });
});
