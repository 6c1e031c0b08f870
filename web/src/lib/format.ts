import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf } from '../i18n/languages';
import { type Day, dayOf, daysBetween, hourOf } from './days';
import { type HubFacts, useHubFacts } from './hub-facts';

type Instant = string | Date;

const toDate = (instant: Instant): Date => (instant instanceof Date ? instant : new Date(instant));

/** Time formats; `auto` is the default of the language. */
const clocks = {
  auto: { timeStyle: 'short' },
  '12h': { hour: 'numeric', minute: '2-digit', hourCycle: 'h12' },
  '24h': { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
} as const;

/** Formatters for times in a zone (IANA name), and for dates, numbers and durations in a language (BCP 47). */
export function createTimeFormat(
  language: string,
  zone: string,
  timeFormat: HubFacts['timeFormat'] = 'auto',
) {
  const inZone = (options: Intl.DateTimeFormatOptions) =>
    once(() => new Intl.DateTimeFormat(language, { timeZone: zone, ...options }));
  const ofDay = (options: Intl.DateTimeFormatOptions) =>
    once(() => new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options }));
  const clock = inZone(clocks[timeFormat]);
  const clockSeconds = inZone(
    timeFormat === 'auto' ? { timeStyle: 'medium' } : { ...clocks[timeFormat], second: '2-digit' },
  );
  const is12Hour = once(() => clock().resolvedOptions().hour12 === true);
  const hour12 = ofDay({ hour: 'numeric', hourCycle: 'h12' });
  const in12Hours = (hour: number) => hour12().format(new Date(Date.UTC(2000, 0, 1, hour)));
  const instantDay = inZone({ dateStyle: 'medium' });
  const longDay = ofDay({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const dayOfYear = ofDay({ weekday: 'long', day: 'numeric', month: 'long' });
  const weekday = ofDay({ weekday: 'long' });
  const shortWeekday = ofDay({ weekday: 'short', day: 'numeric' });
  const shortDay = ofDay({ day: 'numeric', month: 'short' });
  const range = ofDay({ day: 'numeric', month: 'short', year: 'numeric' });
  const month = ofDay({ month: 'long', year: 'numeric' });
  const number = once(() => new Intl.NumberFormat(language));
  const percent = once(() => new Intl.NumberFormat(language, { style: 'percent' }));
  const noon = (day: Day) => new Date(`${day}T12:00:00Z`);
  return {
    zone,
    language,
    /** `08:05`, or `8:05 AM` on a 12-hour clock. */
    clock: (instant: Instant) => clock().format(toDate(instant)),
    /** `08:05:30`, or `8:05:30 AM` */
    clockSeconds: (instant: Instant) => clockSeconds().format(toDate(instant)),
    /** A full hour, 0 to 24: `8:00` or `8 AM`; starts with its `hourMark`, so that visible and spoken text agree. */
    hour: (hour: number) => (is12Hour() ? in12Hours(hour) : `${hour}:00`),
    /** The same on an axis: `8` or `8 AM`. */
    hourMark: (hour: number) => (is12Hour() ? in12Hours(hour) : String(hour)),
    /** An instant as its date and time of day. */
    moment: (instant: Instant) =>
      `${instantDay().format(toDate(instant))}, ${clock().format(toDate(instant))}`,
    /** A calendar day with its weekday. */
    longDay: (day: Day) => longDay().format(noon(day)),
    /** The same as a title: starts with a capital letter in every language. */
    dayTitle: (day: Day) => capitalize(longDay().format(noon(day)), language),
    /** The same without the year. */
    dayOfYearTitle: (day: Day) => capitalize(dayOfYear().format(noon(day)), language),
    /** The name of the weekday of a day. */
    weekday: (day: Day) => weekday().format(noon(day)),
    /** A day of a week, such as `Tue 17`. */
    shortWeekday: (day: Day) => shortWeekday().format(noon(day)),
    shortDay: (day: Day) => shortDay().format(noon(day)),
    /** A range of days, such as `1 – 7 May 2026`. */
    dayRange: (from: Day, to: Day) => range().formatRange(noon(from), noon(to)),
    /** A month `YYYY-MM` in words. */
    month: (value: string) => month().format(noon(`${value}-01`)),
    number: (value: number, digits = 0) =>
      digits === 0
        ? number().format(value)
        : new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value),
    /** A fraction from 0 to 1 in per cent. */
    percent: (share: number) => percent().format(share),
    /** What follows a number of per cent, such as `%`, with the space of the language. */
    percentSuffix: percent().format(0).replace('0', ''),
    /** A duration in seconds, such as `3 min 5 sec`. */
    duration: (seconds: number) => describeDuration(language, seconds),
    /** A duration in seconds in its largest unit, such as `5 min` or `1.2 hr`. */
    roughDuration: (seconds: number) => describeRoughly(language, seconds),
    /** Time relative to `now`, such as `2 minutes ago`. */
    ago: (instant: Instant, now: Date) => describeAgo(language, zone, toDate(instant), now),
    dayOf: (instant: Instant) => dayOf(toDate(instant), zone),
    hourOf: (instant: Instant) => hourOf(toDate(instant), zone),
    today: () => dayOf(new Date(), zone),
  };
}

function capitalize(text: string, language: string): string {
  const [first = ''] = text;
  return first.toLocaleUpperCase(language) + text.slice(first.length);
}

type TimeFormat = ReturnType<typeof createTimeFormat>;

const unitFormats = new Map<string, Intl.NumberFormat>();

function unitFormat(language: string, unit: string): Intl.NumberFormat {
  const key = `${language} ${unit}`;
  const format =
    unitFormats.get(key) ?? new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' });
  unitFormats.set(key, format);
  return format;
}

function describeDuration(language: string, seconds: number): string {
  const rounded = Math.round(seconds);
  const unit = (value: number, name: string) => unitFormat(language, name).format(value);
  if (rounded < 60) return unit(rounded, 'second');
  if (rounded < 3600)
    return rounded % 60 === 0 || rounded >= 600
      ? unit(Math.round(rounded / 60), 'minute')
      : `${unit(Math.floor(rounded / 60), 'minute')} ${unit(rounded % 60, 'second')}`;
  const minutes = Math.round(rounded / 60);
  return minutes % 60 === 0
    ? unit(minutes / 60, 'hour')
    : `${unit(Math.floor(minutes / 60), 'hour')} ${unit(minutes % 60, 'minute')}`;
}

function describeRoughly(language: string, seconds: number): string {
  if (Math.round(seconds) < 60) return unitFormat(language, 'second').format(Math.round(seconds));
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return unitFormat(language, 'minute').format(minutes);
  return unitFormat(language, 'hour').format(Math.round(minutes / 6) / 10);
}

const timeFormats = new Map<string, TimeFormat>();

/** Cached, as formatters are slow to create and every card of a long list needs them. */
function timeFormatFor(language: string, { zone, timeFormat }: HubFacts): TimeFormat {
  const key = `${language} ${zone} ${timeFormat}`;
  const format = timeFormats.get(key) ?? createTimeFormat(language, zone, timeFormat);
  timeFormats.set(key, format);
  return format;
}

/** Returns the formatters for times, dates and numbers. */
export function useTimeFormat(): TimeFormat {
  const { i18n } = useTranslation();
  return timeFormatFor(localeOf(i18n.resolvedLanguage ?? 'en'), useHubFacts());
}

/** Returns a function that creates a value on its first call, as formatters are slow to create. */
function once<T>(create: () => T): () => T {
  let created: { readonly value: T } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}

const agoFormats = new Map<string, Intl.RelativeTimeFormat>();

/**
 * Describes how long ago something was, in a language (BCP 47); times in the future count as now. Days are those of the
 * calendar in a zone (IANA name).
 */
export function describeAgo(language: string, zone: string, instant: Date, now: Date): string {
  const format = agoFormats.get(language) ?? new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  agoFormats.set(language, format);
  const seconds = Math.min(0, (instant.getTime() - now.getTime()) / 1000);
  if (seconds > -60) return format.format(0, 'second');
  if (seconds > -3600) return format.format(Math.round(seconds / 60), 'minute');
  if (seconds > -86_400) return format.format(Math.round(seconds / 3600), 'hour');
  const days = daysBetween(dayOf(now, zone), dayOf(instant, zone));
  if (days > -60) return format.format(days, 'day');
  return days > -730
    ? format.format(Math.round(days / 30.4), 'month')
    : format.format(Math.round(days / 365.2), 'year');
}

/** Returns the formatters for measurements in the units of the hub. */
export function useMeasures(): Measures {
  const { language } = useTimeFormat();
  const { units } = useHubFacts();
  return useMemo(() => createMeasures(language, units), [language, units]);
}

/** Formatters for measurements. */
interface Measures {
  /** Formats °C, such as `12 °C` or `54°F`. */
  readonly temperature: (celsius: number, digits?: number) => string;
  /** Formats m/s, such as `3 m/s` or `7 mph`. */
  readonly speed: (metresPerSecond: number, digits?: number) => string;
}

const mphInMetresPerSecond = 0.447_04;

/** Creates formatters for measurements in a language (BCP 47). */
export function createMeasures(language: string, units: HubFacts['units']): Measures {
  const write = (value: number, unit: string, digits: number) =>
    // Shows slightly negative values as 0 instead of -0.
    new Intl.NumberFormat(language, {
      style: 'unit',
      unit,
      maximumFractionDigits: digits,
      signDisplay: 'negative',
    }).format(value);
  if (units === 'imperial') {
    return {
      temperature: (celsius, digits = 0) => write(celsius * 1.8 + 32, 'fahrenheit', digits),
      speed: (metres, digits = 0) => write(metres / mphInMetresPerSecond, 'mile-per-hour', digits),
    };
  }
  return {
    temperature: (celsius, digits = 0) => write(celsius, 'celsius', digits),
    speed: (metres, digits = 0) => write(metres, 'meter-per-second', digits),
  };
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Formats bytes in the largest decimal unit with a value of at least 1. */
export function describeBytes(language: string, bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), byteUnits.length - 1);
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: byteUnits[power] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: power > 2 ? 1 : 0,
  }).format(bytes / 1000 ** power);
}

/** Names of the months in the language of the page, January first, in three lengths. */
interface MonthNames {
  readonly narrow: readonly string[];
  readonly short: readonly string[];
  readonly long: readonly string[];
}

export function useMonthNames(): MonthNames {
  const { i18n } = useTranslation();
  const language = i18n.resolvedLanguage ?? 'en';
  return useMemo(() => {
    const namesOf = (month: 'narrow' | 'short' | 'long') => {
      const format = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' });
      return Array.from({ length: 12 }, (_, number) => format.format(Date.UTC(2026, number, 15)));
    };
    return { narrow: namesOf('narrow'), short: namesOf('short'), long: namesOf('long') };
  }, [language]);
}
