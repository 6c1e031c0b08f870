/** Calendar day as `YYYY-MM-DD`; arithmetic is on the calendar, so clock changes have no effect. */
export type Day = string;

const dayMs = 86_400_000;

const utcOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);

/** Whether a text is a valid calendar day. */
export function isDay(text: unknown): text is Day {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = utcOf(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Days before or after these are typing errors. */
export const earliestDay: Day = '2000-01-01';
const latestDay: Day = '2199-12-31';

/** Parses a day from a URL; undefined for anything else. */
export function dayFromUrl(text: unknown): Day | undefined {
  return isDay(text) && text >= earliestDay && text <= latestDay ? text : undefined;
}

/** Parses a month `YYYY-MM` from a URL; undefined for anything else. */
export function monthFromUrl(text: unknown): string | undefined {
  return typeof text === 'string' && dayFromUrl(`${text}-01`) !== undefined ? text : undefined;
}

/** Adds days, also a negative number. */
export function addDays(day: Day, days: number): Day {
  return new Date(utcOf(day) + days * dayMs).toISOString().slice(0, 10);
}

/** Number of days from one day to another. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((utcOf(to) - utcOf(from)) / dayMs);
}

/** Adds months to a month `YYYY-MM`, also a negative number. */
export function addMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Local time in a zone (IANA name) as `2026-05-04 08:05:30`; formats are cached, as creating them is slow. */
function clockText(instant: Date, zone: string): string {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    // Swedish dates and times are written as in ISO 8601.
    clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    clocks.set(zone, clock);
  }
  return clock.format(instant);
}

/** The day of an instant in a zone (IANA name). */
export function dayOf(instant: Date, zone: string): Day {
  return clockText(instant, zone).slice(0, 10);
}

/** Hours since midnight on the clock of a zone, with a fraction. */
export function hourOf(instant: Date, zone: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = clockText(instant, zone).slice(11).split(':').map(Number);
  return hours + minutes / 60 + seconds / 3600;
}

/** Returns the local time in a zone (IANA name) as the value of a `datetime-local` field: `2026-05-04T08:05`. */
export function localTimeOf(instant: Date, zone: string): string {
  return clockText(instant, zone).replace(' ', 'T').slice(0, 16);
}

/**
 * Returns the instant of a local time such as `2026-05-04T08:05` in a zone (IANA name). A time that a clock change
 * skips is moved by the length of the change. Returns an invalid date for a malformed text.
 */
export function instantOfLocalTime(local: string, zone: string): Date {
  const wanted = Date.parse(`${local}Z`);
  if (Number.isNaN(wanted) || !local.includes('T')) return new Date(Number.NaN);
  let instant = wanted;
  // The second step corrects an offset taken from the other side of a clock change.
  for (let step = 0; step < 2; step += 1) {
    instant += wanted - Date.parse(`${clockText(new Date(instant), zone).replace(' ', 'T')}Z`);
  }
  return new Date(instant);
}

const hourMs = 3_600_000;

/**
 * Returns the first instant of a day in a zone (IANA name): midnight, or the end of a clock change that skips midnight.
 * Found by bisection.
 */
export function startOfDay(day: Day, zone: string): Date {
  const midnightUtc = Date.parse(`${day}T00:00:00Z`);
  // No zone is more than 14 hours ahead of UTC, or 12 behind.
  let before = midnightUtc - 15 * hourMs;
  let within = midnightUtc + 13 * hourMs;
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (dayOf(new Date(middle), zone) < day) before = middle;
    else within = middle;
  }
  return new Date(within);
}

interface DayWithVisits {
  readonly date: Day;
  readonly visits: number;
}

/** Returns the day with visits nearest to a day; the earlier of two equally near. */
export function nearestDay(day: Day, days: readonly DayWithVisits[]): Day | undefined {
  const distance = (date: Day) => Math.abs(daysBetween(day, date));
  return days
    .filter(({ date, visits }) => visits > 0 && date !== day)
    .map(({ date }) => date)
    .sort((a, b) => distance(a) - distance(b) || a.localeCompare(b))
    .at(0);
}
