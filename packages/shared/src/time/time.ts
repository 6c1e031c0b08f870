import { BoundedMap } from '../async/bounded-map.js';

/** Durations in ms. `dayMs` counts days of UTC; a calendar day of a zone may be an hour shorter or longer. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The source of the current time, in ms since the epoch. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const monthPattern = /^\d{4}-(0[1-9]|1[0-2])$/;

/** Returns midnight UTC of a date; undefined for invalid dates such as 30 February. */
function midnightUtc(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.getTime() : undefined;
}

function findDayNumber(text: string): number | undefined {
  if (!dayPattern.test(text) || text < '0001') return undefined;
  const midnight = midnightUtc(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8)));
  return midnight === undefined ? undefined : midnight / dayMs;
}

/** Whether the text is an existing date `YYYY-MM-DD` of the years 0001 to 9999. */
export function isDay(text: string): boolean {
  return findDayNumber(text) !== undefined;
}

/** Whether the text is a `YYYY-MM` of the years 0001 to 9999. */
export function isMonth(text: string): boolean {
  return monthPattern.test(text) && text >= '0001';
}

/**
 * Returns the number of calendar days since 1970-01-01.
 * @throws RangeError when the text is not a day
 */
export function dayNumber(day: string): number {
  const number = findDayNumber(day);
  if (number === undefined) throw new RangeError(`not a calendar day: ${day}`);
  return number;
}

/**
 * Returns the `YYYY-MM-DD` of a day number.
 * @throws RangeError outside the years 0001 to 9999
 */
export function dayOfNumber(number: number): string {
  const day = new Date(number * dayMs).toISOString().slice(0, 10);
  if (!isDay(day)) throw new RangeError(`day number ${number} is outside the calendar`);
  return day;
}

export function nextDay(day: string): string {
  return dayOfNumber(dayNumber(day) + 1);
}

export function previousDay(day: string): string {
  return dayOfNumber(dayNumber(day) - 1);
}

/** Returns the day a number of days earlier, at least the first day of the calendar. */
export function daysBefore(day: string, days: number): string {
  return dayOfNumber(Math.max(dayNumber(day) - days, dayNumber('0001-01-01')));
}

/** Returns the number of calendar days from one day to another, negative when the second is earlier. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from);
}

/**
 * Returns the month after a month, both as `YYYY-MM`.
 * @throws RangeError when the text is not a month
 */
export function nextMonth(month: string): string {
  if (!isMonth(month)) throw new RangeError(`not a calendar month: ${month}`);
  // 31 days after the first of a month is in the next month.
  return dayOfNumber(dayNumber(`${month}-01`) + 31).slice(0, 7);
}

/** A half-open interval [start, end) in ms since the epoch. */
export interface TimeWindow {
  readonly start: number;
  readonly end: number;
}

/** A calendar day and its window. */
export interface DayWindow extends TimeWindow {
  readonly day: string;
}

const zoneDays = new BoundedMap<string, BoundedMap<number, DayWindow>>(32);

/** Each day ends where the next begins, so days neither overlap nor leave gaps at changes of the clock. */
function openDay(zone: string, number: number): DayWindow {
  const start = firstInstantAt(zone, number * dayMs);
  const end = firstInstantAt(zone, (number + 1) * dayMs);
  return Object.freeze({ day: dayOfNumber(number), start, end });
}

function windowOfNumber(zone: string, number: number): DayWindow {
  const days = zoneDays.getOrAdd(zone, () => new BoundedMap(2048));
  return days.getOrAdd(number, () => openDay(zone, number));
}

/** Returns the calendar day of an instant. When the clock is set back over midnight, the next day continues. */
export function dayWindowAt(zone: string, instant: number): DayWindow {
  let number = Math.floor((instant + offsetMs(zone, instant)) / dayMs);
  let window = windowOfNumber(zone, number);
  while (instant >= window.end) {
    number += 1;
    window = windowOfNumber(zone, number);
  }
  return window;
}

/** Returns the window of a calendar day; empty when the zone skipped that day. */
export function dayWindow(zone: string, day: string): DayWindow {
  return windowOfNumber(zone, dayNumber(day));
}

/** Returns the first instant of a calendar day; that of the next day when the zone skipped it. */
export function startOfDay(zone: string, day: string): number {
  return dayWindow(zone, day).start;
}

/** Returns the window of a calendar month, `YYYY-MM`. */
export function monthWindow(zone: string, month: string): TimeWindow {
  return { start: startOfDay(zone, `${month}-01`), end: startOfDay(zone, `${nextMonth(month)}-01`) };
}

/** Returns the local `YYYY-MM-DD` of an instant. */
export function localDay(zone: string, instant: number): string {
  return dayWindowAt(zone, instant).day;
}

/** Returns the local `YYYY-MM` of an instant. */
export function localMonth(zone: string, instant: number): string {
  return localDay(zone, instant).slice(0, 7);
}

/** Returns the local hour of an instant, 0 to 23. */
export function localHour(zone: string, instant: number): number {
  return new Date(instant + offsetMs(zone, instant)).getUTCHours();
}

/** Returns the local `HH:MM` of an instant. */
export function localTime(zone: string, instant: number): string {
  return new Date(instant + offsetMs(zone, instant)).toISOString().slice(11, 16);
}

/** Returns the local time as `2026-05-01_231530`, for file names. */
export function localStamp(zone: string, instant: number): string {
  const local = new Date(instant + offsetMs(zone, instant)).toISOString();
  return `${local.slice(0, 10)}_${local.slice(11, 19).replaceAll(':', '')}`;
}

/** Returns the calendar day of an instant at a fixed offset, in minutes as returned by `Date.getTimezoneOffset`. */
export function dayWindowAtOffset(instant: number, offsetMinutes: number): DayWindow {
  const behindMs = offsetMinutes * 60_000;
  const number = Math.floor((instant - behindMs) / dayMs);
  const start = number * dayMs + behindMs;
  return { day: dayOfNumber(number), start, end: start + dayMs };
}

/** The offsets of a zone in a window, as the parameters of {@link localHourSql}. */
export interface ZoneClock {
  /** The start of each offset. */
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

/** Returns SQL for the local hour, 0 to 23. Database sessions are in UTC, so `date_part` returns hours in UTC. */
export function localHourSql(instant: string, starts: string, offsets: string): string {
  const offset = `(${offsets}::int[])[width_bucket(${instant}, ${starts}::timestamptz[])]`;
  return `date_part('hour', ${instant} + ${offset} * interval '1 millisecond')::int`;
}

/** Returns SQL for the milliseconds of a timestamp (since 1970) or of an interval, rounded. */
export const msSql = (expression: string) => `(extract(epoch FROM ${expression}) * 1000)::bigint`;

/** The largest offset ever was Alaska's +15:02 in 1867. */
const maxOffsetMs = 16 * hourMs;

/** The three-letter IANA names. Intl also accepts others, such as BST for Dhaka, which are never intended. */
const shortZoneNames = new Set('UTC GMT UCT CET EET MET WET EST MST HST PRC ROC ROK'.split(' '));

/** Whether the name is an IANA time zone that this version of Node supports. */
export function isTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  if (name.length === 3) return shortZoneNames.has(name.toUpperCase());
  try {
    offsetCaches.getOrAdd(name, openOffsetCache);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Returns the IANA zone of the host's `TZ` (a leading colon is POSIX syntax), else UTC. */
export function hostTimeZone(tz: string | undefined): string {
  const name = (tz ?? '').replace(/^:/, '');
  return isTimeZone(name) ? name : 'UTC';
}

/**
 * Returns the local time of a zone minus UTC, in ms, at an instant.
 * @throws RangeError for a zone that Intl does not support
 */
export function offsetMs(zone: string, instant: number): number {
  const day = utcDayOf(zone, Math.floor(instant / dayMs));
  return instant < day.change ? day.before : day.after;
}

/** Formats an offset in ms, see {@link offsetMs}, to the minute: `+02:00`. */
export function formatOffset(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/**
 * Returns the first instant whose local time is `wallMs` (ms as if in UTC) or later: the end of the gap for a local time
 * that the clock skips, the first of two for one that it repeats.
 */
export function firstInstantAt(zone: string, wallMs: number): number {
  for (let number = Math.floor((wallMs - maxOffsetMs) / dayMs); ; number += 1) {
    const day = utcDayOf(zone, number);
    const early = Math.max(day.start, wallMs - day.before);
    if (early < day.change) return early;
    const late = Math.max(day.change, wallMs - day.after);
    if (late < day.end) return late;
  }
}

/** A span with a constant offset of a zone; it ends at the start of the next one. */
interface OffsetSpan {
  readonly start: number;
  readonly offsetMs: number;
}

/** Returns the spans of a zone that overlap a window, in order; the first one starts at or before its start. */
export function offsetSpans(zone: string, { start, end }: { start: number; end: number }): OffsetSpan[] {
  const spans: OffsetSpan[] = [];
  for (let number = Math.floor(start / dayMs); number * dayMs < end; number += 1) {
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

/** The offsets of one UTC day, which change at most once; without a change, `change` is the end of the day. */
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
  const start = number * dayMs;
  const end = start + dayMs;
  const before = readOffset(start);
  const after = readOffset(end - 1);
  const change = before === after ? end : findChange(readOffset, start, end - 1);
  return { start, change, end, before, after };
}

/** Returns the first instant in (from, to] that has the offset of `to`. */
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

const datePattern = /(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})/;
const timePattern = /(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d):(?<second>[0-5]\d)(?<fraction>\.\d{1,9})?/;
const offsetPattern = /z|(?<sign>[+-])(?<offsetHour>[01]\d|2[0-3]):?(?<offsetMinute>[0-5]\d)/;
const dateTimePattern = new RegExp(
  `^${datePattern.source}[t ]${timePattern.source}(?:${offsetPattern.source})?$`,
  'i',
);
const unixSecondsPattern = /^-?\d+(?:\.\d+)?$/;
/** An unescaped `+` in a URL is decoded as a space. */
const unescapedPlus = /(?<=:\d{2}(?:\.\d{1,9})?) (?=\d{2}:?\d{2}$)/;

const firstInstant = Date.parse('0001-01-01T00:00:00Z');
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z');

/** Limits instants to four-digit years, so that every parsed instant can be formatted. */
function withinCalendar(instant: number): number | undefined {
  return instant >= firstInstant && instant <= lastInstant ? instant : undefined;
}

/**
 * Parses a date-time to ms since the epoch: RFC 3339, or ISO 8601 with a space instead of `T`, an offset without a colon,
 * or no offset, which means UTC. Returns undefined for anything else, including leap seconds.
 */
export function parseInstant(text: string): number | undefined {
  const parts = dateTimePattern.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const part = (name: string): number => Number(parts[name] ?? 0);
  const midnight = midnightUtc(part('year'), part('month'), part('day'));
  if (midnight === undefined) return undefined;
  const minutes = part('hour') * 60 + part('minute');
  const offset = part('offsetHour') * 60 + part('offsetMinute');
  const utcMinutes = parts['sign'] === '-' ? minutes + offset : minutes - offset;
  const ms = part('second') * 1000 + Math.round(part('fraction') * 1000);
  return withinCalendar(midnight + utcMinutes * 60_000 + ms);
}

/** Parses a query parameter to ms since the epoch: Unix seconds with an optional fraction, or as {@link parseInstant}. */
export function parseQueryTime(text: string): number | undefined {
  if (!unixSecondsPattern.test(text)) return parseInstant(text.replace(unescapedPlus, '+'));
  // Adding zero turns the -0 of "-0.0001" into 0.
  return withinCalendar(Math.round(Number(text) * 1000) + 0);
}

/** Whether the local day of an instant is in the years 1 to 9999; at the limits of the calendar, some zones are beyond it. */
export function hasLocalDay(zone: string, instant: number): boolean {
  return withinCalendar(instant + offsetMs(zone, instant)) !== undefined;
}

/** Formats an instant as RFC 3339 in UTC with milliseconds. */
export function formatInstant(instant: number): string {
  return new Date(instant).toISOString();
}
