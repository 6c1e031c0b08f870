/** Length of a UTC day; only for counting calendar days, never for finding tomorrow in a zone. */
export const UTC_DAY_MS = 86_400_000;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

/** Midnight UTC of a date of the Gregorian calendar; undefined for one that it lacks, such as 30 February. */
function midnightUtc(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.getTime() : undefined;
}

function findDayNumber(text: string): number | undefined {
  if (!DAY.test(text) || text < '0001') return undefined;
  const midnight = midnightUtc(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8)));
  return midnight === undefined ? undefined : midnight / UTC_DAY_MS;
}

/** Whether the text is a real `YYYY-MM-DD` of the years 0001 to 9999. */
export function isDay(text: string): boolean {
  return findDayNumber(text) !== undefined;
}

/** Whether the text is a `YYYY-MM` of the years 0001 to 9999. */
export function isMonth(text: string): boolean {
  return MONTH.test(text) && text >= '0001';
}

/**
 * Calendar days from 1970-01-01, without any zone.
 * @throws RangeError when the text is not a day
 */
export function dayNumber(day: string): number {
  const number = findDayNumber(day);
  if (number === undefined) throw new RangeError(`not a calendar day: ${day}`);
  return number;
}

/**
 * The `YYYY-MM-DD` of a day number.
 * @throws RangeError outside the years 0001 to 9999
 */
export function dayOfNumber(number: number): string {
  const day = new Date(number * UTC_DAY_MS).toISOString().slice(0, 10);
  if (!isDay(day)) throw new RangeError(`day number ${number} is outside the calendar`);
  return day;
}

export function nextDay(day: string): string {
  return dayOfNumber(dayNumber(day) + 1);
}

export function previousDay(day: string): string {
  return dayOfNumber(dayNumber(day) - 1);
}

/** The calendar day so many days before another; the first of the calendar when there is none. */
export function daysBefore(day: string, days: number): string {
  return dayOfNumber(Math.max(dayNumber(day) - days, dayNumber('0001-01-01')));
}

/** Calendar days from one day to another, negative when the second is the earlier. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from);
}

/**
 * The `YYYY-MM` after a month.
 * @throws RangeError when the text is not a month
 */
export function nextMonth(month: string): string {
  if (!isMonth(month)) throw new RangeError(`not a calendar month: ${month}`);
  // 31 days past the first of any month lie in the one after it.
  return dayOfNumber(dayNumber(`${month}-01`) + 31).slice(0, 7);
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
