import type { Frame } from '@birdhub/domain/recordings';

/** Corners x1, y1, x2, y2 as fractions of the picture. */
export type Box = Frame['bbox'];

/** A span of a recording in seconds from its start. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const within = (fraction: number) => Math.min(1, Math.max(0, fraction));

/** What of a box is in the picture. */
export const clampBox = ([x1, y1, x2, y2]: Box): Box => [within(x1), within(y1), within(x2), within(y2)];

/** How much of the picture a box covers; none when its corners are swapped. */
export const areaOf = ([x1, y1, x2, y2]: Box): number => Math.max(0, x2 - x1) * Math.max(0, y2 - y1);

/** How much two boxes have in common, as a part of what they cover together. */
export function iou(one: Box, other: Box): number {
  const common = areaOf([
    Math.max(one[0], other[0]),
    Math.max(one[1], other[1]),
    Math.min(one[2], other[2]),
    Math.min(one[3], other[3]),
  ]);
  const all = areaOf(one) + areaOf(other) - common;
  return all > 0 ? common / all : 0;
}

/** Corner by corner so many parts of some boxes; the parts add up to one. */
export function mixBoxes(parts: readonly (readonly [box: Box, part: number])[]): Box {
  const corner = (index: 0 | 1 | 2 | 3) => parts.reduce((sum, [box, part]) => sum + box[index] * part, 0);
  return [corner(0), corner(1), corner(2), corner(3)];
}
