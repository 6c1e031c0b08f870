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

/** Window of one day in a zone. */
export function dayWindow(day: Day, zone: string): ReviewWindow {
  return windowOf(startOfDay(day, zone).getTime(), startOfDay(addDays(day, 1), zone).getTime());
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
