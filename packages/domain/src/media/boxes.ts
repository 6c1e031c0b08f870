import type { Frame } from '../recordings/recording.js';

/** Corners x1, y1, x2, y2 as fractions of the picture; they may lie slightly outside. */
export type Box = Frame['bbox'];

/** The moment and place at which a detection is seen best. */
export interface BestView {
  /** From the start of the recording. */
  readonly seconds: number;
  /** Undefined when the position in the picture is unknown. */
  readonly box: Box | undefined;
}

/** The span of a detection, in seconds from the start of the recording, and its boxes. */
export interface FramedDetection {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly frames: readonly Frame[];
}

const clamp = (fraction: number) => Math.min(1, Math.max(0, fraction));

/** Returns the part of a box that lies inside the picture. */
export function withinPicture([x1, y1, x2, y2]: Box): Box {
  return [clamp(x1), clamp(y1), clamp(x2), clamp(y2)];
}

/** Returns the fraction of the picture that a box covers. */
export function visibleArea(box: Box): number {
  const [x1, y1, x2, y2] = withinPicture(box);
  return Math.max(0, x2 - x1) * Math.max(0, y2 - y1);
}

/** Whether a crop to a box shows most of the picture; also without a box, when all of it is shown. */
export function showsWholePicture(box: Box | undefined): boolean {
  return box === undefined || visibleArea(box) > 0.5;
}

/** Chooses the first frame with the largest box, or the middle of the detection when it has no boxes. */
export function chooseFrame({ startOffset, endOffset, frames }: FramedDetection): BestView {
  let best: Frame | undefined;
  let area = 0;
  for (const frame of frames) {
    const visible = visibleArea(frame.bbox);
    if (visible <= area) continue;
    best = frame;
    area = visible;
  }
  return best
    ? { seconds: best.t, box: best.bbox }
    : { seconds: (startOffset + endOffset) / 2, box: undefined };
}

/** A rectangle in pixels, inside its picture. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const marginShare = 0.15;
const minPixels = 64;
/** Tolerance for rounding errors of a fraction times pixels. */
const tolerance = 1e-6;

/** Returns the first pixel and the one after the last in one direction; `low` and `high` are fractions. */
function widen(low: number, high: number, pixels: number): readonly [number, number] {
  const margin = (high - low) * marginShare;
  const first = Math.min(Math.max(0, Math.floor((low - margin) * pixels + tolerance)), pixels);
  const last = Math.max(first, Math.min(Math.ceil((high + margin) * pixels - tolerance), pixels));
  const missing = Math.min(minPixels, pixels) - (last - first);
  if (missing <= 0) return [first, last];
  const start = Math.max(0, first - Math.ceil(missing / 2));
  const end = Math.min(pixels, start + last - first + missing);
  return [end - (last - first) - missing, end];
}

/** Returns a box with a margin, clipped to the picture and at least 64 pixels wide and high if the picture is. */
export function widenBox([x1, y1, x2, y2]: Box, { width, height }: { width: number; height: number }): Area {
  const [left, right] = widen(x1, x2, width);
  const [top, bottom] = widen(y1, y2, height);
  return { left, top, width: right - left, height: bottom - top };
}
