import {
  countText,
  fillText,
  type HubLanguage,
  localeOf,
  nounText,
  type Plural,
  pluralText,
  type Units,
} from '@birdhub/domain/language';
import { localDay, localTime } from '@birdhub/shared/time';
import { type ReportTexts, reportTexts } from './report-texts.js';

/** A local day, `YYYY-MM-DD`, and time, `HH:MM`. */
export interface LocalMoment {
  readonly day: string;
  readonly time: string;
}

/** Converts an instant in ms since the epoch to local time of a zone. */
export function toLocalMoment(zone: string, instant: number): LocalMoment {
  return { day: localDay(zone, instant), time: localTime(zone, instant) };
}

const midnight = (day: string) => new Date(`${day}T00:00:00Z`);
/** The minus sign is as wide as a digit, unlike a hyphen. */
const minus = '\u2212';
/** The word "year" in Russian dates, which headings omit. */
const yearWord = /\sг\./g;

/** Formats days, numbers and counts of a report in a language. */
export class ReportFormat {
  readonly language: HubLanguage;
  readonly texts: ReportTexts;
  readonly #locale: string;
  readonly #count: Intl.NumberFormat;
  readonly #decimal: Intl.NumberFormat;
  readonly #share: Intl.NumberFormat;
  readonly #dayMonthYear: Intl.DateTimeFormat;
  readonly #dayMonth: Intl.DateTimeFormat;
  readonly #shortDay: Intl.DateTimeFormat;
  readonly #shortMonth: Intl.DateTimeFormat;

  constructor(language: HubLanguage) {
    this.language = language;
    this.texts = reportTexts[language];
    this.#locale = localeOf(language);
    this.#count = new Intl.NumberFormat(this.#locale);
    this.#decimal = new Intl.NumberFormat(this.#locale, {
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    });
    this.#share = new Intl.NumberFormat(this.#locale, {
      style: 'percent',
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    });
    this.#dayMonthYear = this.#dateFormat({ day: 'numeric', month: 'long', year: 'numeric' });
    this.#dayMonth = this.#dateFormat({ day: 'numeric', month: 'long' });
    this.#shortDay = this.#dateFormat({ day: 'numeric', month: 'short' });
    this.#shortMonth = this.#dateFormat({ month: 'short' });
  }

  /** A range of days `YYYY-MM-DD`, both included: `1–31 March 2026`, `28 February – 3 March 2026`. */
  days(first: string, last: string = first): string {
    const long = (day: string) => this.#dayMonthYear.format(midnight(day)).replaceAll(yearWord, '');
    const end = long(last);
    if (first === last) return end;
    if (first.slice(0, 7) === last.slice(0, 7)) {
      const day = Number(first.slice(8));
      return `${day}${this.language === 'de' ? '.' : ''}–${end}`;
    }
    const isSameYear = first.slice(0, 4) === last.slice(0, 4);
    return `${isSameYear ? this.#dayMonth.format(midnight(first)) : long(first)} – ${end}`;
  }

  /** `March 2026` of `2026-03`, as a heading. */
  month(month: string): string {
    const text = this.#dateFormat({ month: 'long', year: 'numeric' }).format(midnight(`${month}-01`));
    return (text.charAt(0).toLocaleUpperCase(this.#locale) + text.slice(1)).replaceAll(yearWord, '');
  }

  /** `3 March 2026, 07:05` */
  moment({ day, time }: LocalMoment): string {
    return `${this.days(day)}, ${time}`;
  }

  /** `3 Mar` */
  shortDay(day: string): string {
    return this.#shortDay.format(midnight(day));
  }

  /** `3 Mar, 07:05` */
  shortMoment({ day, time }: LocalMoment): string {
    return `${this.shortDay(day)}, ${time}`;
  }

  /** The month of a day: `Mar`. */
  shortMonth(day: string): string {
    return this.#shortMonth.format(midnight(day));
  }

  /** `12,345` */
  count(count: number): string {
    return this.#count.format(count);
  }

  /** `1 visit`, `12,345 visits` */
  visits(count: number): string {
    return countText(this.language, 'visits', count);
  }

  /** The noun of a count: `visit`, `visits`. */
  noun(noun: 'visits' | 'species', count: number): string {
    return nounText(this.language, noun, count);
  }

  /** Returns the plural form of a text for a number, with placeholders replaced. */
  plural(forms: Plural, count: number, values: Readonly<Record<string, string>> = {}): string {
    return fillText(pluralText(this.language, forms, count), values);
  }

  /** `12.3%`; above zero but less than 0.05% it is `< 0.1%`. The space before the sign depends on the language. */
  share(part: number, whole: number): string {
    const share = whole === 0 ? 0 : part / whole;
    return share > 0 && share < 0.0005 ? `< ${this.#share.format(0.001)}` : this.#share.format(share);
  }

  /** `43 s`, `12 min`, `3 h 20 min` */
  duration(ms: number): string {
    const { second, minute, hour } = this.texts.units;
    const seconds = Math.round(ms / 1000);
    if (seconds < 100) return `${seconds} ${second}`;
    const minutes = Math.round(seconds / 60);
    if (minutes < 60) return `${minutes} ${minute}`;
    const rest = minutes % 60;
    return `${this.count(Math.floor(minutes / 60))} ${hour}${rest ? ` ${rest} ${minute}` : ''}`;
  }

  /** `−1.5 °C` of a temperature in those units. */
  temperature(degrees: number, units: Units): string {
    const rounded = Math.round(degrees * 10) / 10;
    return `${this.#decimal.format(rounded + 0).replace('-', minus)} ${temperatureUnit(units)}`;
  }

  /** The value of a tick of an axis: `−5`. */
  tick(value: number): string {
    return this.count(value).replace('-', minus);
  }

  /** Calendar days have no zone and are formatted as midnight UTC. */
  #dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    return new Intl.DateTimeFormat(this.#locale, { timeZone: 'UTC', ...options });
  }
}

/** `°C` or `°F` */
export function temperatureUnit(units: Units): string {
  return units === 'imperial' ? '°F' : '°C';
}
