import type { Box } from './box.js';

/** Gray pictures of this size; boxes are fractions, so the shape of the video does not matter. */
export const graySize: Readonly<Record<'width' | 'height', number>> = { width: 160, height: 90 };

const { width, height } = graySize;
const pixels = width * height;

/** How much a pixel must differ to be part of what moves, of 255. */
const threshold = 24;
const leastPixels = 12;
/** What covers more is a change of the light. */
const mostPixels = pixels * 0.6;
const learning = { still: 0.05, moving: 0.005 };

/** The middle value of each pixel: what is there most of the time. */
export function medianPicture(pictures: readonly Uint8Array[]): Float32Array {
  const values = new Uint8Array(pictures.length);
  return Float32Array.from({ length: pixels }, (_, pixel) => {
    pictures.forEach((picture, index) => {
      values[index] = picture[pixel] ?? 0;
    });
    return values.sort()[values.length >> 1] ?? 0;
  });
}

/** Which pixels differ from the background, which learns from the picture meanwhile. */
function compare(picture: Uint8Array, background: Float32Array): Uint8Array {
  const mask = new Uint8Array(pixels);
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    const known = background[pixel] ?? 0;
    const difference = (picture[pixel] ?? 0) - known;
    const isMoving = Math.abs(difference) > threshold;
    mask[pixel] = isMoving ? 1 : 0;
    background[pixel] = known + difference * (isMoving ? learning.moving : learning.still);
  }
  return mask;
}

/** The pixels up to two away from one, as parts of a bird may look apart. */
function* neighboursOf(pixel: number): Generator<number> {
  const [x, y] = [pixel % width, Math.floor(pixel / width)];
  for (let row = Math.max(0, y - 2); row <= Math.min(height - 1, y + 2); row += 1) {
    for (let column = Math.max(0, x - 2); column <= Math.min(width - 1, x + 2); column += 1) {
      yield row * width + column;
    }
  }
}

/** Takes one blob out of a mask; answers its box and how many pixels it has. */
function takeBlob(mask: Uint8Array, first: number): { box: Box; size: number } {
  const waiting = [first];
  let [left, top, right, bottom, size] = [width, height, 0, 0, 0];
  mask[first] = 0;
  for (let pixel = waiting.pop(); pixel !== undefined; pixel = waiting.pop()) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    size += 1;
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
    for (const neighbour of neighboursOf(pixel)) {
      if (!mask[neighbour]) continue;
      mask[neighbour] = 0;
      waiting.push(neighbour);
    }
  }
  return { box: [left / width, top / height, right / width, bottom / height], size };
}

/** Boxes around what differs from the background, which learns from the picture. */
export function findMoving(picture: Uint8Array, background: Float32Array): Box[] {
  const mask = compare(picture, background);
  const boxes: Box[] = [];
  for (let pixel = mask.indexOf(1); pixel >= 0; pixel = mask.indexOf(1, pixel + 1)) {
    const { box, size } = takeBlob(mask, pixel);
    if (size >= leastPixels && size <= mostPixels) boxes.push(box);
  }
  return boxes;
}
