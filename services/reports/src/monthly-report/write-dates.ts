import type { Moment } from './report-contents.js';

/** A calendar day has no zone, so its words are those of its midnight UTC. */
const words = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
const day = words({ day: 'numeric', month: 'long', year: 'numeric' });
const month = words({ month: 'long', year: 'numeric' });
const short = words({ day: 'numeric', month: 'short' });
const monthAlone = words({ month: 'short' });

const midnight = (text: string) => new Date(`${text}T00:00:00Z`);
/** Intl sets thin blanks around its dash, which a search in a PDF would not find. */
const plain = (text: string) => text.replace(/\s/g, ' ');

/** From one `YYYY-MM-DD` to another: `1–31 March 2026`; one of them when they are the same. */
export function writeDays(first: string, last: string): string {
  return plain(
    first === last ? day.format(midnight(first)) : day.formatRange(midnight(first), midnight(last)),
  );
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
