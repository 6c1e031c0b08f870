import { dayOfNumber, UTC_DAY_MS } from './calendar-day.js';
import type { DayWindow } from './zone.js';

/** The calendar day of an instant on a clock with one offset, in minutes as `Date.getTimezoneOffset` has it. */
export function dayWindowAtOffset(instant: number, offsetMinutes: number): DayWindow {
  const behindMs = offsetMinutes * 60_000;
  const number = Math.floor((instant - behindMs) / UTC_DAY_MS);
  const start = number * UTC_DAY_MS + behindMs;
  return { day: dayOfNumber(number), start, end: start + UTC_DAY_MS };
}
