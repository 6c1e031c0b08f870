import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useMonthNames } from '../../lib/format';
import { useIsSouthern } from './calendar-query';
import { isWholeYear, presenceOf, type Season, seasonsOf } from './seasons-of';

/** Says when a species comes and goes, and as what where whole years are known. */
export function useSeasonWords(knowsWholeYears: boolean): (counts: readonly number[]) => string {
  const { t, i18n } = useTranslation('calendar');
  const { long } = useMonthNames();
  const isSouthern = useIsSouthern();
  const language = i18n.resolvedLanguage ?? 'en';
  return useCallback(
    (counts) => {
      const seasons = seasonsOf(counts);
      const monthsOf = ({ first, last }: Season) =>
        first === last ? (long[first] ?? '') : `${long[first]} – ${long[last]}`;
      const months = isWholeYear(seasons)
        ? ''
        : new Intl.ListFormat(language, { type: 'conjunction' }).format(seasons.map(monthsOf));
      const presence = presenceOf(counts, isSouthern);
      const kind = presence && (knowsWholeYears || presence === 'resident') ? t(presence) : '';
      return [kind, months].filter((part) => part !== '').join(' · ');
    },
    [t, long, language, isSouthern, knowsWholeYears],
  );
}
