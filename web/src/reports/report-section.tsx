import { Button, NativeSelect, SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hubUrl } from '../api/base';
import { useFirstDay } from '../hub-time/first-day';
import { useTimeFormat } from '../hub-time/time-format';
import { useToday } from '../hub-time/use-now';
import { longestDays, monthBefore, monthsOf, type Period, periodFault, periodOf, windowOf } from './period';
import { PeriodFields } from './period-fields';
import { ReportFigures } from './report-figures';
import { Section } from './section';

/** The report to print: of last month at once, of any other as well. */
export function ReportSection() {
  const { t } = useTranslation('reports');
  const { month: monthName, shortDay, zone } = useTimeFormat();
  const lastMonth = monthBefore(useToday());
  const [month, setMonth] = useState<string>();
  const [days, setDays] = useState<Period>();
  const chosenMonth = month ?? lastMonth;
  const period = days ?? periodOf(chosenMonth);
  const isFine = periodFault(period, longestDays.report) === undefined;
  const asked = isFine && days ? windowOf(days, zone) : { month: chosenMonth };
  const address = hubUrl(`/api/ui/report/pdf?${new URLSearchParams(asked)}`);
  const name = days
    ? isFine
      ? `${shortDay(days.from)} – ${shortDay(days.to)}`
      : '…'
    : monthName(chosenMonth);
  return (
    <Section title={t('report')} about={t('report_about')}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Stack>
          <Button
            size="lg"
            h="auto"
            py="sm"
            styles={{ label: { whiteSpace: 'normal' } }}
            leftSection={<IconDownload size={22} aria-hidden />}
            renderRoot={(props) =>
              isFine ? <a {...props} href={address} download /> : <button {...props} type="button" />
            }
            disabled={!isFine}
          >
            {t('download_report', { name })}
          </Button>
          <SegmentedControl
            aria-label={t('report_of')}
            value={days ? 'days' : 'month'}
            onChange={(kind) => setDays(kind === 'days' ? periodOf(chosenMonth) : undefined)}
            data={[
              { value: 'month', label: t('a_month') },
              { value: 'days', label: t('other_days') },
            ]}
          />
          {days ? (
            <PeriodFields period={days} onChange={setDays} longest={longestDays.report} />
          ) : (
            <MonthSelect value={chosenMonth} onChange={setMonth} />
          )}
        </Stack>
        <ReportFigures period={period} isFine={isFine} name={name} />
      </SimpleGrid>
    </Section>
  );
}

interface MonthSelectProps {
  readonly value: string;
  readonly onChange: (month: string) => void;
}

function MonthSelect({ value, onChange }: MonthSelectProps) {
  const { t } = useTranslation('reports');
  const { month: monthName } = useTimeFormat();
  const today = useToday();
  const first = useFirstDay() ?? today;
  const months = new Set([...monthsOf({ from: first, to: today }), value, monthBefore(today)]);
  return (
    <NativeSelect
      label={t('month')}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[...months]
        .sort()
        .reverse()
        .map((month) => ({ value: month, label: monthName(month) }))}
    />
  );
}
