import { Button, NativeSelect, SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hubUrl } from '../../api/hub-url';
import { useToday } from '../../lib/clock';
import { useTimeFormat } from '../../lib/format';
import { useSightings } from '../../lib/species-list';
import { longestDays, monthBefore, monthsOf, type Period, periodFault, periodOf, windowOf } from './period';
import { PeriodFields } from './period-fields';
import { ReportFigures } from './report-figures';
import { Section } from './section';
import { usePeriodFigures } from './use-period-figures';

const route = getRouteApi('/reports');

/** The report to print: of the newest month with birds at once, of any other as well. */
export function ReportSection() {
  const { t } = useTranslation('reports');
  const { month: monthName, shortDay, zone } = useTimeFormat();
  const today = useToday();
  const sightings = useSightings();
  const { month } = route.useSearch();
  const navigate = route.useNavigate();
  const [days, setDays] = useState<Period>();
  const chosenMonth = month ?? sightings?.last.slice(0, 7) ?? monthBefore(today);
  const period = days ?? periodOf(chosenMonth);
  const isFine = periodFault(period, longestDays.report) === undefined;
  const isAsked = isFine && (days !== undefined || month !== undefined || sightings !== undefined);
  const { figures, error } = usePeriodFigures(period, isAsked);
  const isOffered = isAsked && figures?.visits !== 0;
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
              isOffered ? <a {...props} href={address} download /> : <button {...props} type="button" />
            }
            disabled={!isOffered}
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
            <MonthSelect
              value={chosenMonth}
              onChange={(chosen) =>
                void navigate({ search: { month: chosen }, replace: true, resetScroll: false })
              }
            />
          )}
        </Stack>
        <ReportFigures figures={figures} error={error} isAsked={isAsked} name={name} />
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
  const first = useSightings()?.first ?? today;
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
