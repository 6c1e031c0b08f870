import type { components } from '../../api/schema';

type Frame = components['schemas']['Frame'];

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A rectangle from its top left corner. */
interface Rectangle extends Size {
  readonly left: number;
  readonly top: number;
}

/** x1, y1, x2, y2 as fractions of the picture. */
type Box = readonly [number, number, number, number];

/** A box is shown this long before its first and after its last frame, as detectors skip frames. */
const toleranceSeconds = 0.2;

/** Position of a picture in a frame with `object-fit: contain`. */
export function placePicture(picture: Size, frame: Size): Rectangle {
  if (picture.width <= 0 || picture.height <= 0) return { left: 0, top: 0, ...frame };
  const scale = Math.min(frame.width / picture.width, frame.height / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  return { left: (frame.width - width) / 2, top: (frame.height - height) / 2, width, height };
}

/** Returns the index of the last frame at or before a time, or -1. Frames are sorted by time. */
function frameAtOrBefore(frames: readonly Frame[], time: number): number {
  let [low, high] = [0, frames.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((frames[middle]?.t ?? Number.POSITIVE_INFINITY) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const toBox = ([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[]): Box => [x1, y1, x2, y2];

/** Interpolates the box at a time (s) between the frames around it; undefined before and after. */
export function boxAt(frames: readonly Frame[], time: number): Box | undefined {
  const at = frameAtOrBefore(frames, time);
  const [before, after] = [frames[at], frames[at + 1]];
  if (before && after) {
    const share = (time - before.t) / (after.t - before.t);
    const [from, to] = [toBox(before.bbox), toBox(after.bbox)];
    const between = (corner: 0 | 1 | 2 | 3) => from[corner] + (to[corner] - from[corner]) * share;
    return [between(0), between(1), between(2), between(3)];
  }
  const nearest = before ?? after;
  return nearest && Math.abs(nearest.t - time) <= toleranceSeconds ? toBox(nearest.bbox) : undefined;
}

const clamp01 = (value: number) => Math.min(1, Math.max(0, value));

/** Converts a box to a rectangle on the screen, clipped to the picture. */
export function placeBox([x1, y1, x2, y2]: Box, picture: Rectangle): Rectangle {
  const [left, top, right, bottom] = [clamp01(x1), clamp01(y1), clamp01(x2), clamp01(y2)];
  return {
    left: picture.left + left * picture.width,
    top: picture.top + top * picture.height,
    width: (right - left) * picture.width,
    height: (bottom - top) * picture.height,
  };
}

/** Theme colours of boxes and tracks. */
const colors = ['lime', 'cyan', 'orange', 'grape', 'yellow', 'pink', 'teal', 'indigo'] as const;

/** Returns the colour of a detection by its index. */
export function trackColor(index: number): string {
  return `var(--mantine-color-${colors[index % colors.length] ?? colors[0]}-5)`;
}
