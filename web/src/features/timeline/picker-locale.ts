import type { DatesProviderSettings } from '@mantine/dates';

/** Locales of the date library for the languages of the UI; English is built in. */
const locales: Readonly<Record<string, () => Promise<unknown>>> = {
  de: () => import('dayjs/locale/de'),
  es: () => import('dayjs/locale/es'),
  fr: () => import('dayjs/locale/fr'),
  it: () => import('dayjs/locale/it'),
  nl: () => import('dayjs/locale/nl'),
  pl: () => import('dayjs/locale/pl'),
  ru: () => import('dayjs/locale/ru'),
};

/** Loads the names of months and weekdays of a language; returns the language, or English for an unknown one. */
export async function loadDayjsLocale(language: string): Promise<string> {
  const load = locales[language];
  if (load === undefined) return 'en';
  await load();
  return language;
}

interface WeekInfo {
  readonly firstDay: number;
  readonly weekend: readonly number[];
}

type WeekLocale = Intl.Locale & { readonly weekInfo?: WeekInfo; getWeekInfo?(): WeekInfo };
type Week = Partial<Pick<DatesProviderSettings, 'firstDayOfWeek' | 'weekendDays'>>;
type DayOfWeek = NonNullable<Week['firstDayOfWeek']>;

const toDayOfWeek = (day: number) => (day % 7) as DayOfWeek;

/** The first day of the week and the weekend of a locale (BCP 47), as far as the browser knows them. */
export function weekOf(locale: string): Week {
  const found: WeekLocale = new Intl.Locale(locale);
  const week = found.getWeekInfo?.() ?? found.weekInfo;
  if (week === undefined) return {};
  return { firstDayOfWeek: toDayOfWeek(week.firstDay), weekendDays: week.weekend.map(toDayOfWeek) };
}
