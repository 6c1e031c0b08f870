import { localDay, localTime } from '@birdhub/shared/time';

/** A day, `YYYY-MM-DD`, and a time, `HH:MM`, as calendar and clock of a zone show them. */
export interface LocalMoment {
  readonly day: string;
  readonly time: string;
}

/** An instant, in ms since the epoch, in a zone. */
export function toLocalMoment(zone: string, instant: number): LocalMoment {
  return { day: localDay(zone, instant), time: localTime(zone, instant) };
}

/** A calendar day has no zone, so it is formatted as its midnight UTC. */
const dateFormat = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
const dayMonthYear = dateFormat({ day: 'numeric', month: 'long', year: 'numeric' });
const dayMonth = dateFormat({ day: 'numeric', month: 'long' });
const monthYear = dateFormat({ month: 'long', year: 'numeric' });
const shortDay = dateFormat({ day: 'numeric', month: 'short' });
const shortMonth = dateFormat({ month: 'short' });

const midnight = (day: string) => new Date(`${day}T00:00:00Z`);

/** A range of days `YYYY-MM-DD`, both included: `1–31 March 2026`, `28 February – 3 March 2026`. */
export function formatDays(first: string, last: string = first): string {
  const end = dayMonthYear.format(midnight(last));
  if (first === last) return end;
  if (first.slice(0, 7) === last.slice(0, 7)) return `${Number(first.slice(8))}–${end}`;
  const isSameYear = first.slice(0, 4) === last.slice(0, 4);
  return `${(isSameYear ? dayMonth : dayMonthYear).format(midnight(first))} – ${end}`;
}

/** `March 2026` of `2026-03`. */
export function formatMonth(month: string): string {
  return monthYear.format(midnight(`${month}-01`));
}

/** `3 March 2026, 07:05` */
export function formatMoment({ day, time }: LocalMoment): string {
  return `${formatDays(day)}, ${time}`;
}

/** `3 Mar` */
export function formatShortDay(day: string): string {
  return shortDay.format(midnight(day));
}

/** `3 Mar, 07:05` */
export function formatShortMoment({ day, time }: LocalMoment): string {
  return `${formatShortDay(day)}, ${time}`;
}

/** The month of a day: `Mar`. */
export function formatShortMonth(day: string): string {
  return shortMonth.format(midnight(day));
}

const grouped = new Intl.NumberFormat('en-GB');
const oneDecimal = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
/** As wide as a digit, unlike a hyphen. */
const minus = '\u2212';

/** `12,345` */
export function formatCount(count: number): string {
  return grouped.format(count);
}

/** `1 visit`, `12,345 visits` */
export function formatCounted(count: number, singular: string): string {
  return `${formatCount(count)} ${singular}${count === 1 ? '' : 's'}`;
}

/** `12.3 %`; above zero but less than 0.05 % it is `< 0.1 %`. */
export function formatShare(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (part / whole) * 100;
  return percent > 0 && percent < 0.05 ? '< 0.1 %' : `${oneDecimal.format(percent)} %`;
}

/** `43 s`, `12 min`, `3 h 20 min` */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return `${formatCount(Math.floor(minutes / 60))} h${rest ? ` ${rest} min` : ''}`;
}

/** `−1.5 °C` */
export function formatTemperature(degrees: number): string {
  const rounded = Math.round(degrees * 10) / 10;
  return `${oneDecimal.format(rounded + 0).replace('-', minus)} °C`;
}

/** The value of a tick of an axis: `−5`. */
export function formatTick(value: number): string {
  return formatCount(value).replace('-', minus);
}
