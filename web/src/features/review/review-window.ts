import { addDays, type Day, startOfDay } from '../../lib/days';

const dayMs = 86_400_000;

/** As many days as the hub tells of at once. */
export const mostDays = 31;

/** Instants (RFC 3339) from which on and before which detections are reviewed. */
export interface ReviewWindow {
  readonly start_time: string;
  readonly end_time: string;
}

const windowOf = (start: number, end: number): ReviewWindow => ({
  start_time: new Date(start).toISOString(),
  end_time: new Date(end).toISOString(),
});

/** One day of a zone. */
export function dayWindow(day: Day, zone: string): ReviewWindow {
  return windowOf(startOfDay(day, zone).getTime(), startOfDay(addDays(day, 1), zone).getTime());
}

/** The most days that the hub tells of at once, up to the end of one; hours more or less by a clock change are let be. */
export function daysUntil(day: Day, zone: string): ReviewWindow {
  const end = startOfDay(addDays(day, 1), zone).getTime();
  return windowOf(end - mostDays * dayMs, end);
}

/** What is left of a window before a detection, and with it what began at the same moment. */
export function windowBefore(window: ReviewWindow, startTime: string): ReviewWindow {
  return { ...window, end_time: new Date(Date.parse(startTime) + 1).toISOString() };
}
