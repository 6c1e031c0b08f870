import { addDays, type Day, startOfDay } from '../../lib/days';

const dayMs = 86_400_000;

/** Maximum number of days of a request. */
export const maxDays = 31;

/** Start and exclusive end of the review (RFC 3339). */
export interface ReviewWindow {
  readonly start_time: string;
  readonly end_time: string;
}

const windowOf = (start: number, end: number): ReviewWindow => ({
  start_time: new Date(start).toISOString(),
  end_time: new Date(end).toISOString(),
});

/** Window of the days from one to another in a zone. */
export function rangeWindow(from: Day, to: Day, zone: string): ReviewWindow {
  return windowOf(startOfDay(from, zone).getTime(), startOfDay(addDays(to, 1), zone).getTime());
}

/** Window of `maxDays` days up to the end of a day, regardless of clock changes. */
export function daysUntil(day: Day, zone: string): ReviewWindow {
  const end = startOfDay(addDays(day, 1), zone).getTime();
  return windowOf(end - maxDays * dayMs, end);
}

/** Window before a detection, including others with the same start. */
export function windowBefore(window: ReviewWindow, startTime: string): ReviewWindow {
  return { ...window, end_time: new Date(Date.parse(startTime) + 1).toISOString() };
}

/** Returns the last part of a window, as long as one request allows. */
export function lastPart({ start_time, end_time }: ReviewWindow): ReviewWindow {
  const end = Date.parse(end_time);
  return windowOf(Math.max(Date.parse(start_time), end - maxDays * dayMs), end);
}

/** Returns the part before a completely read one; undefined at the start of the window. */
export function partBefore(window: ReviewWindow, { start_time }: ReviewWindow): ReviewWindow | undefined {
  if (Date.parse(start_time) <= Date.parse(window.start_time)) return undefined;
  return lastPart({ start_time: window.start_time, end_time: start_time });
}
