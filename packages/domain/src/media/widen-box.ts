import type { Box } from './choose-frame.js';

/** A rectangle in pixels, inside its picture. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const marginShare = 0.15;
const leastPixels = 64;
/** Of what a fraction times pixels is off. */
const noise = 1e-6;

/** From the first pixel to before the last of one direction; `low` and `high` are fractions. */
function widen(low: number, high: number, pixels: number): readonly [number, number] {
  const margin = (high - low) * marginShare;
  const first = Math.min(Math.max(0, Math.floor((low - margin) * pixels + noise)), pixels);
  const last = Math.max(first, Math.min(Math.ceil((high + margin) * pixels - noise), pixels));
  const lacking = Math.min(leastPixels, pixels) - (last - first);
  if (lacking <= 0) return [first, last];
  const start = Math.max(0, first - Math.ceil(lacking / 2));
  const end = Math.min(pixels, start + last - first + lacking);
  return [end - (last - first) - lacking, end];
}

/** A box with a margin around it, inside the picture and at least 64 pixels wide and high where the picture is. */
export function widenBox([x1, y1, x2, y2]: Box, { width, height }: { width: number; height: number }): Area {
  const [left, right] = widen(x1, x2, width);
  const [top, bottom] = widen(y1, y2, height);
  return { left, top, width: right - left, height: bottom - top };
}
