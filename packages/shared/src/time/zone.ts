import { BoundedMap } from './bounded-map.js';
import { dayNumber, dayOfNumber, nextMonth, UTC_DAY_MS } from './calendar.js';

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

/** No zone was ever further from UTC than Alaska's +15:02 of 1867. */
const MAX_OFFSET_MS = 16 * 3_600_000;

/** Three-letter names that IANA has. Intl accepts others too, such as BST for Dhaka, which is never what is meant. */
const SHORT_NAMES = new Set('UTC GMT UCT CET EET MET WET EST MST HST PRC ROC ROK'.split(' '));

/** Whether the name is an IANA time zone that this Node knows. */
export function isTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  if (name.length === 3) return SHORT_NAMES.has(name.toUpperCase());
  try {
    offsetCaches.getOrAdd(name, openOffsetCache);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The IANA zone named by the value of the host's `TZ` (a leading colon is POSIX spelling), else UTC. */
export function hostTimeZone(tz: string | undefined): string {
  const name = (tz ?? '').replace(/^:/, '');
  return isTimeZone(name) ? name : 'UTC';
}

/**
 * The local time of a zone minus UTC, in ms, at an instant.
 * @throws RangeError for a zone that Intl does not know
 */
export function offsetMs(zone: string, instant: number): number {
  const day = utcDayOf(zone, Math.floor(instant / UTC_DAY_MS));
  return instant < day.change ? day.before : day.after;
}

/** The first instant whose local time is `wallMs` (as if UTC) or later: the end of a gap, the first of two. */
export function firstInstantAt(zone: string, wallMs: number): number {
  for (let number = Math.floor((wallMs - MAX_OFFSET_MS) / UTC_DAY_MS); ; number += 1) {
    const day = utcDayOf(zone, number);
    const early = Math.max(day.start, wallMs - day.before);
    if (early < day.change) return early;
    const late = Math.max(day.change, wallMs - day.after);
    if (late < day.end) return late;
  }
}

/** A stretch of time in which a zone keeps one offset; it ends where the next begins. */
interface OffsetSpan {
  readonly start: number;
  readonly offsetMs: number;
}

/** The spans of a zone that overlap a window, in order; the first starts with the window or before it. */
export function offsetSpans(zone: string, { start, end }: { start: number; end: number }): OffsetSpan[] {
  const spans: OffsetSpan[] = [];
  for (let number = Math.floor(start / UTC_DAY_MS); number * UTC_DAY_MS < end; number += 1) {
    const day = utcDayOf(zone, number);
    for (const span of [
      { start: day.start, offsetMs: day.before },
      { start: day.change, offsetMs: day.after },
    ]) {
      if (span.start < day.end && span.offsetMs !== spans.at(-1)?.offsetMs) spans.push(span);
    }
  }
  return spans;
}

/** The offsets of one UTC day, which change at most once; `change` is the end when they do not. */
interface UtcDay {
  readonly start: number;
  readonly change: number;
  readonly end: number;
  readonly before: number;
  readonly after: number;
}

interface OffsetCache {
  readonly readOffset: (instant: number) => number;
  readonly days: BoundedMap<number, UtcDay>;
}

const offsetCaches = new BoundedMap<string, OffsetCache>(32);

function utcDayOf(zone: string, number: number): UtcDay {
  const { readOffset, days } = offsetCaches.getOrAdd(zone, openOffsetCache);
  return days.getOrAdd(number, () => readUtcDay(readOffset, number));
}

function openOffsetCache(zone: string): OffsetCache {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  const readOffset = (instant: number): number => {
    const text = format.format(instant);
    const parts = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text);
    if (parts === null) throw new Error(`no offset in "${text}" for zone ${zone}`);
    const [, sign, hours = 0, minutes = 0, seconds = 0] = parts;
    const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
    return sign === '-' ? -size : size;
  };
  return { readOffset, days: new BoundedMap(2048) };
}

function readUtcDay(readOffset: (instant: number) => number, number: number): UtcDay {
  const start = number * UTC_DAY_MS;
  const end = start + UTC_DAY_MS;
  const before = readOffset(start);
  const after = readOffset(end - 1);
  const change = before === after ? end : findChange(readOffset, start, end - 1);
  return { start, change, end, before, after };
}

/** The first instant in (from, to] that has the offset of `to`. */
function findChange(readOffset: (instant: number) => number, from: number, to: number): number {
  const after = readOffset(to);
  let [early, late] = [from, to];
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (readOffset(middle) === after) late = middle;
    else early = middle;
  }
  return late;
}
