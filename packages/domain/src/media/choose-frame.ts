import type { Frame } from '../recordings/recording-types.js';

/** Corners x1, y1, x2, y2 as fractions of the picture; they may lie slightly outside. */
export type Box = Frame['bbox'];

/** Where in a recording a detection is seen best. */
export interface BestView {
  /** From the start of the recording. */
  readonly seconds: number;
  /** Undefined when nobody knows where in the picture. */
  readonly box: Box | undefined;
}

/** When a detection was seen, in seconds from the start of the recording, and where. */
export interface Seen {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly frames: readonly Frame[];
}

const within = (fraction: number) => Math.min(1, Math.max(0, fraction));

/** What of a box is in the picture. */
export function withinPicture([x1, y1, x2, y2]: Box): Box {
  return [within(x1), within(y1), within(x2), within(y2)];
}

/** How much of the picture a box covers. */
export function visibleArea(box: Box): number {
  const [x1, y1, x2, y2] = withinPicture(box);
  return Math.max(0, x2 - x1) * Math.max(0, y2 - y1);
}

/** The frame with the largest box, the first of several; the middle of the segment when no box is in the picture. */
export function chooseFrame({ startOffset, endOffset, frames }: Seen): BestView {
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
