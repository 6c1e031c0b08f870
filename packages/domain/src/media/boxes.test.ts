import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../recordings/recording.js';
import { chooseFrame, widenBox } from './boxes.js';

const at = (t: number, ...bbox: Frame['bbox']): Frame => ({ t, bbox });
const choose = (...frames: Frame[]) => chooseFrame({ startOffset: 2, endOffset: 5, frames });

describe('chooseFrame', () => {
  it('several boxes, chooses the largest', () => {
    expect(choose(at(2, 0, 0, 0.2, 0.2), at(3, 0, 0, 0.5, 0.3), at(4, 0, 0, 0.3, 0.3))).toEqual({
      seconds: 3,
      box: [0, 0, 0.5, 0.3],
    });
  });

  it('a box that extends beyond the picture, counts by its visible area', () => {
    expect(choose(at(2, 0.9, 0, 1.05, 1.05), at(3, 0.4, 0, 0.52, 1)).seconds).toBe(3);
  });

  it('boxes of equal size, chooses the first', () => {
    expect(choose(at(4, 0, 0, 0.25, 0.5), at(3, 0, 0, 0.5, 0.25)).seconds).toBe(4);
  });

  it.each([
    ['no boxes', []],
    ['boxes outside the picture or without area', [at(3, 1, 0, 1.05, 1), at(4, 0.5, 0.5, 0.5, 0.5)]],
  ])('%s, chooses the middle of the segment', (_, frames) => {
    expect(choose(...frames)).toEqual({ seconds: 3.5, box: undefined });
  });
});

const frame = { width: 1_000, height: 500 };

describe('widenBox', () => {
  it('a box in the middle, grows by 15 % on each side', () => {
    expect(widenBox([0.4, 0.4, 0.6, 0.8], frame)).toEqual({ left: 370, top: 170, width: 260, height: 260 });
  });

  it('a box at the edge, is clipped to the picture', () => {
    expect(widenBox([-0.05, 0.5, 0.2, 1.05], frame)).toEqual({ left: 0, top: 208, width: 238, height: 292 });
  });

  it('a point, becomes a square of 64 pixels', () => {
    expect(widenBox([0.5, 0.5, 0.5, 0.5], frame)).toEqual({ left: 468, top: 218, width: 64, height: 64 });
  });

  it('a picture smaller than 64 pixels, is used whole', () => {
    const small = { width: 40, height: 30 };
    expect(widenBox([0.9, 0.9, 1, 1], small)).toEqual({ left: 0, top: 0, width: 40, height: 30 });
  });

  it('any box of any picture, stays inside, covers the visible box and is at least 64 pixels if possible', () => {
    const fraction = fc.double({ min: -0.05, max: 1.05, noNaN: true });
    const pixels = fc.integer({ min: 2, max: 8_000 });
    fc.assert(
      fc.property(
        fc.tuple(fraction, fraction),
        fc.tuple(fraction, fraction),
        pixels,
        pixels,
        (xs, ys, width, height) => {
          const [[x1, x2], [y1, y2]] = [xs, ys].map((pair) => [Math.min(...pair), Math.max(...pair)]) as [
            [number, number],
            [number, number],
          ];
          const area = widenBox([x1, y1, x2, y2], { width, height });
          for (const [low, high, first, length, size] of [
            [x1, x2, area.left, area.width, width],
            [y1, y2, area.top, area.height, height],
          ] as const) {
            expect([first, length].every(Number.isInteger)).toBe(true);
            expect(first).toBeGreaterThanOrEqual(0);
            expect(first + length).toBeLessThanOrEqual(size);
            expect(length).toBeGreaterThanOrEqual(Math.min(64, size));
            expect(first).toBeLessThanOrEqual(Math.min(Math.max(0, low), 1) * size);
            expect(first + length).toBeGreaterThanOrEqual(Math.min(Math.max(0, high), 1) * size);
          }
        },
      ),
    );
  });
});
