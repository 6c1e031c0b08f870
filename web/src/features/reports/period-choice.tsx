import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useToday } from '../../lib/clock';
import { useSightings } from '../../lib/species-list';
import {
  maxPeriodDays,
  namedPeriods,
  newestPeriod,
  type Period,
  type PeriodName,
  periodFault,
} from './period';
import { PeriodFields } from './period-fields';

const names = Object.keys(namedPeriods) as PeriodName[];
const isName = (text: string): text is PeriodName => text in namedPeriods;

/** The period of an export, by default the latest named one with visits, and the `fields` to choose another. */
export function usePeriodChoice() {
  const { t } = useTranslation('reports');
  const today = useToday();
  const [chosen, setName] = useState<PeriodName | 'own'>();
  const newest = useSightings()?.last;
  const name = chosen ?? newestPeriod(newest, today);
  const [own, setOwn] = useState<Period>(namedPeriods.last_month(today));
  const period = name === 'own' ? own : namedPeriods[name](today);
  const choose = (text: string) => {
    setOwn(period);
    setName(isName(text) ? text : 'own');
  };
  const fields = (
    <>
      <NativeSelect
        label={t('range')}
        value={name}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={[...names, 'own' as const].map((value) => ({ value, label: t(value) }))}
      />
      {name === 'own' && <PeriodFields period={own} onChange={setOwn} maxDays={maxPeriodDays.export} />}
    </>
  );
  return { period, isValid: periodFault(period, maxPeriodDays.export) === undefined, fields };
}
