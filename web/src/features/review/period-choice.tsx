import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Day, dayFromUrl, isDay } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { mostDays } from './review-window';

/** The days that are reviewed: one, or many up to one. */
export interface Period {
  readonly date?: Day;
  readonly until?: Day;
}

interface PeriodChoiceProps {
  readonly period: Period;
  readonly today: Day;
  readonly onChoose: (period: Period) => void;
}

/** Which days are reviewed. */
export function PeriodChoice({ period: { date, until }, today, onChoose }: PeriodChoiceProps) {
  const { t } = useTranslation('review');
  const { shortDay } = useTimeFormat();
  const kind = date === undefined ? (until ?? 'recent') : 'day';
  const choose = (chosen: string) => {
    if (chosen === 'day') onChoose({ date: until ?? today });
    else onChoose(isDay(chosen) ? { until: chosen } : {});
  };
  return (
    <Group gap="xs" wrap="nowrap">
      <NativeSelect
        aria-label={t('period')}
        value={kind}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={[
          { value: 'recent', label: t('recent', { count: mostDays }) },
          ...(until === undefined
            ? []
            : [{ value: until, label: t('until', { count: mostDays, day: shortDay(until) }) }]),
          { value: 'day', label: t('one_day') },
        ]}
      />
      {date !== undefined && (
        <TextInput
          type="date"
          aria-label={t('one_day')}
          max={today}
          key={date}
          defaultValue={date}
          onChange={({ currentTarget: { value } }) => dayFromUrl(value) && onChoose({ date: value })}
        />
      )}
    </Group>
  );
}
