import type { Moment } from './report-contents.js';

/** A calendar day has no zone, so its words are those of its midnight UTC. */
const words = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
const day = words({ day: 'numeric', month: 'long', year: 'numeric' });
const dayAndMonth = words({ day: 'numeric', month: 'long' });
const month = words({ month: 'long', year: 'numeric' });
const short = words({ day: 'numeric', month: 'short' });
const monthAlone = words({ month: 'short' });

const midnight = (text: string) => new Date(`${text}T00:00:00Z`);
/** From one `YYYY-MM-DD` to another, nothing said twice: `1–31 March 2026`, `28 February – 3 March 2026`. */
export function writeDays(first: string, last: string): string {
  const end = day.format(midnight(last));
  if (first === last) return end;
  if (first.slice(0, 7) === last.slice(0, 7)) return `${Number(first.slice(8))}–${end}`;
  const isOneYear = first.slice(0, 4) === last.slice(0, 4);
  return `${(isOneYear ? dayAndMonth : day).format(midnight(first))} – ${end}`;
}

/** `March 2026` of `2026-03`. */
export function writeMonth(text: string): string {
  return month.format(midnight(`${text}-01`));
}

/** `3 March 2026, 07:05` */
export function writeMoment(moment: Moment): string {
  return `${writeDays(moment.day, moment.day)}, ${moment.time}`;
}

/** `3 Mar` */
export function writeShortDay(text: string): string {
  return short.format(midnight(text));
}

/** `3 Mar, 07:05` */
export function writeShortMoment(moment: Moment): string {
  return `${writeShortDay(moment.day)}, ${moment.time}`;
}

/** `Mar` of a day. */
export function writeMonthOf(text: string): string {
  return monthAlone.format(midnight(text));
}
