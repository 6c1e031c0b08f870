import '@mantine/dates/styles.layer.css';
import { DatePicker, DatesProvider } from '@mantine/dates';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Day } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { loadDayjsLocale, weekOf } from './picker-locale';

interface RangePickerProps {
  readonly from: Day | undefined;
  readonly to: Day | undefined;
  readonly today: Day;
  readonly onChoose: (from: Day, to: Day) => void;
}

/** Calendar to choose the first and the last day, in the language of the page; both can be the same day. */
export function RangePicker({ from, to, today, onChoose }: RangePickerProps) {
  const { t, i18n } = useTranslation('timeline');
  const { language } = useTimeFormat();
  const short = i18n.resolvedLanguage ?? 'en';
  const { data: locale = 'en' } = useQuery({
    queryKey: ['dayjs-locale', short],
    queryFn: () => loadDayjsLocale(short),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [days, setDays] = useState<[Day | null, Day | null]>([from ?? to ?? null, to ?? null]);
  const change = (next: [Day | null, Day | null]) => {
    setDays(next);
    const [first, last] = next;
    if (first !== null && last !== null) onChoose(first, last);
  };
  return (
    <DatesProvider settings={{ locale, ...weekOf(language) }}>
      <DatePicker
        type="range"
        allowSingleDateInRange
        value={days}
        onChange={change}
        maxDate={today}
        defaultDate={to ?? today}
        ariaLabels={{
          previousMonth: t('previous_month'),
          nextMonth: t('next_month'),
          previousYear: t('previous_year'),
          nextYear: t('next_year'),
          monthLevelControl: t('choose_month'),
          yearLevelControl: t('choose_year'),
        }}
      />
    </DatesProvider>
  );
}
