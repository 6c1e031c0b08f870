import type { TimeWindow } from '@birdhub/shared/time';

const dayMs = 86_400_000;
const longestMs = 31 * dayMs;
const shortestMs = 60_000;
const wantedRows = 24_000;

/** A window cut into slices from its end to its start. */
export interface TimeSlices {
  /** The next slice; undefined when the start of the window is reached. */
  next(): TimeWindow | undefined;
  /** Says how many rows a slice held, so that the next holds some thousands. */
  learn(slice: TimeWindow, rows: number): void;
}

/** Cuts a window into slices; the first is a day long. */
export function sliceTime(window: TimeWindow): TimeSlices {
  let { end } = window;
  let length = dayMs;
  return {
    next() {
      if (end <= window.start) return undefined;
      const slice = { start: Math.max(window.start, end - length), end };
      end = slice.start;
      return slice;
    },
    learn(slice, rows) {
      const factor = Math.min(4, Math.max(0.25, wantedRows / Math.max(rows, 1)));
      const wanted = Math.round((slice.end - slice.start) * factor);
      length = Math.min(longestMs, Math.max(shortestMs, wanted));
    },
  };
}
