import { ActionIcon, Group, SimpleGrid, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { Failure, Loading } from '../../components/states';
import { addMonths } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import classes from './activity-section.module.css';
import { Section } from './section';
import { type ActivityDay, type Measure, measures, summarizeMonth } from './system-figures';

interface MonthChoiceProps {
  readonly month: string;
  readonly last: string;
  readonly onChange: (month: string) => void;
}

function MonthChoice({ month, last, onChange }: MonthChoiceProps) {
  const { t } = useTranslation('system');
  const format = useTimeFormat();
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon
        variant="subtle"
        size="lg"
        aria-label={t('month_before')}
        onClick={() => onChange(addMonths(month, -1))}
      >
        <IconChevronLeft size={18} aria-hidden />
      </ActionIcon>
      <Text size="sm" miw="8.5em" ta="center" aria-live="polite">
        {format.month(month)}
      </Text>
      <ActionIcon
        variant="subtle"
        size="lg"
        aria-label={t('month_after')}
        disabled={month >= last}
        onClick={() => onChange(addMonths(month, 1))}
      >
        <IconChevronRight size={18} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

function LastWeek() {
  const { t } = useTranslation('system');
  const { number } = useTimeFormat();
  const { data } = useQuery({
    queryKey: ['timeline', 'visitors'],
    queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/system/visitors', { signal })),
  });
  return (
    <Text size="sm" c="dimmed" mih="1.5em">
      {data &&
        data.unique_visits > 0 &&
        t('last_week', {
          count: data.unique_visits,
          number: number(data.unique_visits),
          days: data.active_days,
          period: data.period_days,
        })}
    </Text>
  );
}

/** Visits, recordings and detector uptime by day of a month. */
export function ActivitySection() {
  const { t } = useTranslation('system');
  const thisMonth = useTimeFormat().today().slice(0, 7);
  const [month, setMonth] = useState(thisMonth);
  const { data, error, refetch } = useQuery({
    queryKey: ['timeline', 'activity', month],
    queryFn: ({ signal }) =>
      unwrap(hub.GET('/api/ui/system/activity', { params: { query: { month } }, signal })),
    placeholderData: (before) => before,
  });
  return (
    <Section
      title={t('activity')}
      actions={<MonthChoice month={month} last={thisMonth} onChange={setMonth} />}
    >
      {error && data === undefined && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && data === undefined && <Loading rows={1} height={124} />}
      {data && isEmpty(data) && <Text c="dimmed">{t('no_activity')}</Text>}
      {data && !isEmpty(data) && (
        <SimpleGrid cols={{ base: 1, md: 3 }} spacing="xl">
          {measures.map((measure) => (
            <ActivityBars key={measure} days={data} measure={measure} />
          ))}
        </SimpleGrid>
      )}
      <LastWeek />
    </Section>
  );
}

const isEmpty = (days: readonly ActivityDay[]) =>
  days.every((day) => measures.every((measure) => day[measure] === 0));

interface ActivityBarsProps {
  readonly days: readonly ActivityDay[];
  readonly measure: Measure;
}

/** A measure of a month: sum and, unless it is zero, a bar per day. */
function ActivityBars({ days, measure }: ActivityBarsProps) {
  const { t } = useTranslation('system');
  const { number, shortDay } = useTimeFormat();
  const { sum, best, bars } = summarizeMonth(days, measure);
  // Imported recordings have no uptime.
  if (measure === 'totalUptime' && sum === 0 && days.some(({ recordings }) => recordings > 0))
    return (
      <Text size="sm" c="dimmed">
        {t('watching_unknown')}
      </Text>
    );
  const amount = (value: number) => t(`activity.${measure}`, { count: value, number: number(value, 1) });
  if (best === undefined) return <Text fw={600}>{amount(sum)}</Text>;
  const bestText = t('activity_best', { day: shortDay(best.date), amount: amount(best.value) });
  return (
    <div>
      <Text fw={600}>{amount(sum)}</Text>
      <Text size="sm" c="dimmed" mb={6}>
        {bestText}
      </Text>
      <div className={classes['bars']} role="img" aria-label={`${amount(sum)}. ${bestText}`}>
        {bars.map(({ date, value, share }) => (
          <div
            key={date}
            className={classes['bar']}
            style={{ height: `${100 * share}%` }}
            title={`${shortDay(date)}: ${amount(value)}`}
          />
        ))}
      </div>
      <div className={classes['axis']} aria-hidden>
        <span>{shortDay(days.at(0)?.date ?? '')}</span>
        <span>{shortDay(days.at(-1)?.date ?? '')}</span>
      </div>
    </div>
  );
}
