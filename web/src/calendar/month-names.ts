import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

/** The months of a year in the reader's language, January first, in three lengths. */
export interface MonthNames {
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
