import { midnightUtc } from './calendar.js';

/** The source of the current time, in ms since the epoch. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still. */
export function fixedClock(instant: number): Clock {
  return { now: () => instant };
}

/** A clock that only `advance` and `set` move. */
export interface ManualClock extends Clock {
  advance(byMs: number): void;
  set(instant: number): void;
}

export function manualClock(instant: number): ManualClock {
  let present = instant;
  return {
    now: () => present,
    advance: (byMs) => {
      present += byMs;
    },
    set: (to) => {
      present = to;
    },
  };
}

const DATE = /(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})/;
const TIME = /(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d):(?<second>[0-5]\d)(?<fraction>\.\d{1,9})?/;
const OFFSET = /z|(?<sign>[+-])(?<offsetHour>[01]\d|2[0-3]):?(?<offsetMinute>[0-5]\d)/;
const DATE_TIME = new RegExp(`^${DATE.source}[t ]${TIME.source}(?:${OFFSET.source})?$`, 'i');
const UNIX_SECONDS = /^-?\d+(?:\.\d+)?$/;
/** A `+` that was not escaped arrives from a URL as a space. */
const UNESCAPED_PLUS = /(?<=:\d{2}(?:\.\d{1,9})?) (?=\d{2}:?\d{2}$)/;

const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** Only instants with a four-digit year, so that every parsed instant can be formatted. */
function withinCalendar(instant: number): number | undefined {
  return instant >= FIRST_INSTANT && instant <= LAST_INSTANT ? instant : undefined;
}

/**
 * The instant (ms) of an RFC 3339 date-time, or of an ISO 8601 one with a space, an offset without colon or no
 * offset at all, which means UTC; undefined for anything else, leap seconds included.
 */
export function parseInstant(text: string): number | undefined {
  const parts = DATE_TIME.exec(text)?.groups;
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

/** The instant (ms) of a query parameter: unix seconds, whole or decimal, or what `parseInstant` reads. */
export function parseQueryTime(text: string): number | undefined {
  if (!UNIX_SECONDS.test(text)) return parseInstant(text.replace(UNESCAPED_PLUS, '+'));
  // Adding zero turns the -0 of "-0.0001" into 0.
  return withinCalendar(Math.round(Number(text) * 1000) + 0);
}

/** RFC 3339 in UTC with milliseconds. */
export function formatInstant(instant: number): string {
  return new Date(instant).toISOString();
}
