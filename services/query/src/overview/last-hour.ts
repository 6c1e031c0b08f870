import type { TimeWindow } from '@birdhub/shared/time';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * From when on a visit of the window is of the last hour: to the minute, so that an answer holds for one. The end of
 * a window that ended before, whose answer the clock does not change.
 */
export function lastHourFrom(window: TimeWindow, now: number): number {
  const hourAgo = Math.floor(now / minuteMs) * minuteMs - hourMs;
  return Math.min(Math.max(hourAgo, window.start), window.end);
}
