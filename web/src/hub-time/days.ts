/** Calendar days as `YYYY-MM-DD`; arithmetic is that of the calendar, so no clock change can move it. */
export type Day = string;

const dayMs = 86_400_000;

const utcOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);

/** Whether a text is a day that the calendar has. */
export function isDay(text: unknown): text is Day {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = utcOf(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The first and the last day that an address may name: before them no hub watched, and later ones are mistyped. */
const addressable = { first: '2000-01-01', last: '2199-12-31' } as const;

/** The day that an address names; undefined for anything else, so that a page shows what it shows without one. */
export function dayOfAddress(text: unknown): Day | undefined {
  return isDay(text) && text >= addressable.first && text <= addressable.last ? text : undefined;
}

/** The month `YYYY-MM` that an address names; undefined for anything else. */
export function monthOfAddress(text: unknown): string | undefined {
  return typeof text === 'string' && dayOfAddress(`${text}-01`) !== undefined ? text : undefined;
}

/** The day some days later, or earlier by a negative number. */
export function addDays(day: Day, days: number): Day {
  return new Date(utcOf(day) + days * dayMs).toISOString().slice(0, 10);
}

/** Days from one to the other. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((utcOf(to) - utcOf(from)) / dayMs);
}

/** The month `YYYY-MM` some months later, or earlier by a negative number. */
export function addMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** What the clock of a zone (IANA name) shows, as `2026-05-04 08:05:30`; a format is made once, as that takes long. */
function clockText(instant: Date, zone: string): string {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    // The Swedish way to write times is that of ISO 8601.
    clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    clocks.set(zone, clock);
  }
  return clock.format(instant);
}

/** The day of an instant in a zone (IANA name). */
export function dayOf(instant: Date, zone: string): Day {
  return clockText(instant, zone).slice(0, 10);
}

/** Hours since midnight by the clock of a zone, with a fraction. */
export function hourOf(instant: Date, zone: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = clockText(instant, zone).slice(11).split(':').map(Number);
  return hours + minutes / 60 + seconds / 3600;
}
