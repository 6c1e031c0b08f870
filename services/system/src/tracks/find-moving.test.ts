import { describe, expect, it } from 'vitest';
import { findMoving, graySize, medianPicture } from './find-moving.js';

const { width, height } = graySize;

/** A gray picture with bright rectangles, given as x, y, width, height in pixels. */
function picture(...rectangles: [number, number, number, number][]): Uint8Array {
  const pixels = new Uint8Array(width * height).fill(60);
  for (const [x, y, w, h] of rectangles)
    for (let row = y; row < y + h; row += 1) pixels.fill(200, row * width + x, row * width + x + w);
  return pixels;
}
const background = () => medianPicture([picture(), picture([0, 0, 9, 9]), picture()]);

describe('findMoving', () => {
  it('nothing but what was there before, is nothing', () => {
    expect(findMoving(picture(), background())).toEqual([]);
  });

  it('two birds, are two boxes around them', () => {
    expect(findMoving(picture([16, 9, 32, 18], [80, 45, 16, 9]), background())).toEqual([
      [0.1, 0.1, 0.3, 0.3],
      [0.5, 0.5, 0.6, 0.6],
    ]);
  });

  it('parts that nearly touch, are one', () => {
    expect(findMoving(picture([16, 9, 8, 9], [25, 9, 8, 9]), background())).toHaveLength(1);
  });

  it('a speck, and a change of all the light, are nothing', () => {
    expect(findMoving(picture([16, 9, 3, 3]), background())).toEqual([]);
    expect(findMoving(picture([0, 0, width, height]), background())).toEqual([]);
  });

  it('what stays for minutes, is background in the end', () => {
    const known = background();
    const perched = picture([16, 9, 32, 18]);
    for (let turn = 0; turn < 600; turn += 1) findMoving(perched, known);
    expect(findMoving(perched, known)).toEqual([]);
  });
});
