import { ActionIcon, Group, SimpleGrid, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { Failure, Loading } from '../../components/states';
import { addMonths } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { ActivityBars } from './activity-bars';
import { measures } from './month-activity';
import { Section } from './section';

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
        t('last_week', {
          count: data.unique_visits,
          number: number(data.unique_visits),
          days: data.active_days,
          period: data.period_days,
        })}
    </Text>
  );
}

/** Day by day of a month: visits, recordings, and how long the processor was heard from. */
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
      {data && (
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
