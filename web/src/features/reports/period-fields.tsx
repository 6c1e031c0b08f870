import { Group, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useToday } from '../../lib/clock';
import { type Period, periodFault } from './period';

interface PeriodFieldsProps {
  readonly period: Period;
  readonly onChange: (period: Period) => void;
  /** Maximum number of days. */
  readonly maxDays: number;
}

/** First and last day. */
export function PeriodFields({ period, onChange, maxDays }: PeriodFieldsProps) {
  const { t } = useTranslation('reports');
  const today = useToday();
  const fault = periodFault(period, maxDays);
  return (
    <Group gap="sm" align="start" grow preventGrowOverflow={false}>
      <TextInput
        type="date"
        label={t('from')}
        value={period.from}
        max={today}
        onChange={({ currentTarget }) => onChange({ ...period, from: currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t('to')}
        value={period.to}
        max={today}
        onChange={({ currentTarget }) => onChange({ ...period, to: currentTarget.value })}
        error={fault && t(fault, { count: maxDays })}
      />
    </Group>
  );
}
