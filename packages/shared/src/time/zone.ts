import { BoundedMap } from './bounded-map.js';
import { dayNumber, dayOfNumber, nextMonth, UTC_DAY_MS } from './calendar-day.js';
import { firstInstantAt, offsetMs, offsetSpans } from './zone-offset.js';

/** A half-open stretch of time: `start` belongs to it, `end` does not. */
export interface TimeWindow {
  readonly start: number;
  readonly end: number;
}

/** A calendar day and its window. */
export interface DayWindow extends TimeWindow {
  readonly day: string;
}

const zoneDays = new BoundedMap<string, BoundedMap<number, DayWindow>>(32);

/** Each day ends where the next begins, so days have no gap or overlap whatever a zone does to its clock. */
function openDay(zone: string, number: number): DayWindow {
  const start = firstInstantAt(zone, number * UTC_DAY_MS);
  const end = firstInstantAt(zone, (number + 1) * UTC_DAY_MS);
  return Object.freeze({ day: dayOfNumber(number), start, end });
}

function windowOfNumber(zone: string, number: number): DayWindow {
  const days = zoneDays.getOrAdd(zone, () => new BoundedMap(2048));
  return days.getOrAdd(number, () => openDay(zone, number));
}

/** The calendar day that holds an instant; a clock set back over midnight does not bring yesterday back. */
export function dayWindowAt(zone: string, instant: number): DayWindow {
  let number = Math.floor((instant + offsetMs(zone, instant)) / UTC_DAY_MS);
  let window = windowOfNumber(zone, number);
  while (instant >= window.end) {
    number += 1;
    window = windowOfNumber(zone, number);
  }
  return window;
}

/** The window of a calendar day; empty when the zone skipped that day. */
export function dayWindow(zone: string, day: string): DayWindow {
  return windowOfNumber(zone, dayNumber(day));
}

/** The first instant of a calendar day; that of the day after when the zone skipped it. */
export function startOfDay(zone: string, day: string): number {
  return dayWindow(zone, day).start;
}

/** The window of a calendar month, `YYYY-MM`. */
export function monthWindow(zone: string, month: string): TimeWindow {
  return { start: startOfDay(zone, `${month}-01`), end: startOfDay(zone, `${nextMonth(month)}-01`) };
}

/** The `YYYY-MM-DD` of an instant. */
export function localDay(zone: string, instant: number): string {
  return dayWindowAt(zone, instant).day;
}

/** The `YYYY-MM` of an instant. */
export function localMonth(zone: string, instant: number): string {
  return localDay(zone, instant).slice(0, 7);
}

/** The local hour, 0 to 23. */
export function localHour(zone: string, instant: number): number {
  return new Date(instant + offsetMs(zone, instant)).getUTCHours();
}

/** The local time as `2026-05-01_231530`, for names of files. */
export function localStamp(zone: string, instant: number): string {
  const local = new Date(instant + offsetMs(zone, instant)).toISOString();
  return `${local.slice(0, 10)}_${local.slice(11, 19).replaceAll(':', '')}`;
}

/** The calendar day of an instant at a fixed offset, in minutes as `Date.getTimezoneOffset` returns it. */
export function dayWindowAtOffset(instant: number, offsetMinutes: number): DayWindow {
  const behindMs = offsetMinutes * 60_000;
  const number = Math.floor((instant - behindMs) / UTC_DAY_MS);
  const start = number * UTC_DAY_MS + behindMs;
  return { day: dayOfNumber(number), start, end: start + UTC_DAY_MS };
}

/** The offsets of a zone in a window, as the parameters of {@link localHourSql}. */
export interface ZoneClock {
  /** When each offset begins. */
  readonly starts: readonly Date[];
  /** In ms. */
  readonly offsets: readonly number[];
}

export function readZoneClock(zone: string, window: TimeWindow): ZoneClock {
  const spans = offsetSpans(zone, window);
  return {
    starts: spans.map((span) => new Date(span.start)),
    offsets: spans.map((span) => span.offsetMs),
  };
}

/** SQL for the local hour, 0 to 23; sessions run in UTC, so `date_part` returns hours of UTC. */
export function localHourSql(instant: string, starts: string, offsets: string): string {
  const offset = `(${offsets}::int[])[width_bucket(${instant}, ${starts}::timestamptz[])]`;
  return `date_part('hour', ${instant} + ${offset} * interval '1 millisecond')::int`;
}
