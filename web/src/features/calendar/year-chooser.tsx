import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useYears } from './calendar-query';
import { useCalendarSearch } from './use-calendar-search';

/** From which year to which; not there while the hub has seen only one. */
export function YearChooser() {
  const { t } = useTranslation('calendar');
  const [{ from, to }, change] = useCalendarSearch();
  const known = useYears();
  const chosen = [from, to].filter((year) => year !== undefined);
  const years = [...new Set([...known, ...chosen])].sort((one, other) => other - one);
  if (years.length < 2) return null;
  const yearOf = (text: string) => (text === '' ? undefined : Number(text));
  const optionsOf = (all: string) => [{ value: '', label: all }, ...years.map(String)];
  return (
    <>
      <NativeSelect
        label={t('from_year')}
        value={from ?? ''}
        onChange={({ currentTarget: { value } }) => change({ from: yearOf(value) })}
        data={optionsOf(t('first_year'))}
      />
      <NativeSelect
        label={t('to_year')}
        value={to ?? ''}
        onChange={({ currentTarget: { value } }) => change({ to: yearOf(value) })}
        data={optionsOf(t('this_year'))}
      />
    </>
  );
}
