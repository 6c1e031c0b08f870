import { describe, expect, it } from 'vitest';
import { findMoving, followBoxes, greySize, medianPicture } from './motion-tracker.js';
import type { Box } from './tracks.js';

const { width, height } = greySize;

/** A grey picture with bright rectangles, given as x, y, width, height in pixels. */
function picture(...rectangles: [number, number, number, number][]): Uint8Array {
  const pixels = new Uint8Array(width * height).fill(60);
  for (const [x, y, w, h] of rectangles)
    for (let row = y; row < y + h; row += 1) pixels.fill(200, row * width + x, row * width + x + w);
  return pixels;
}
const background = () => medianPicture([picture(), picture([0, 0, 9, 9]), picture()]);

describe('findMoving', () => {
  it('a picture equal to the background, has no boxes', () => {
    expect(findMoving(picture(), background())).toEqual([]);
  });

  it('two birds, have two boxes around them', () => {
    expect(findMoving(picture([16, 9, 32, 18], [80, 45, 16, 9]), background())).toEqual([
      [0.1, 0.1, 0.3, 0.3],
      [0.5, 0.5, 0.6, 0.6],
    ]);
  });

  it('parts that nearly touch, are one box', () => {
    expect(findMoving(picture([16, 9, 8, 9], [25, 9, 8, 9]), background())).toHaveLength(1);
  });

  it('a speck, and a change of all the light, have no boxes', () => {
    expect(findMoving(picture([16, 9, 3, 3]), background())).toEqual([]);
    expect(findMoving(picture([0, 0, width, height]), background())).toEqual([]);
  });

  it('an object that stays for minutes, becomes background', () => {
    const known = background();
    const perched = picture([16, 9, 32, 18]);
    for (let turn = 0; turn < 600; turn += 1) findMoving(perched, known);
    expect(findMoving(perched, known)).toEqual([]);
  });
});

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

  it('a bird lost for a moment, is the same track', () => {
    const seen = times(10).map((t, index) => ({ t, boxes: index === 4 ? [] : [at(0.1 + index * 0.02)] }));
    expect(followBoxes(seen).map((track) => track.length)).toEqual([9]);
  });

  it('a bird at the place of an earlier one, is another track', () => {
    const seen = times(30).map((t, index) => ({ t, boxes: index > 9 && index < 20 ? [] : [at(0.1)] }));
    expect(followBoxes(seen).map((track) => track.length)).toEqual([10, 10]);
  });

  it('an object seen for a moment, is no track', () => {
    expect(followBoxes(times(2).map((t) => ({ t, boxes: [at(0.1)] })))).toEqual([]);
  });
});
