import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Problem } from '../../api/problem';
import { Page } from '../../components/page';
import { Failure } from '../../components/states';
import { useToday } from '../../lib/clock';
import { useTimeFormat } from '../../lib/format';
import { AsideCards } from './aside-cards';
import { DayLine } from './day-line';
import { HourCurve } from './hour-curve';
import { HubAlerts } from './hub-alerts';
import { LiveFeed } from './live-feed';
import { QuietDay } from './quiet-day';
import { SpeciesOfDay } from './species-of-day';
import { isNamed, summarizeDay } from './summarize-day';
import { TodayLoading } from './today-loading';
import classes from './today-page.module.css';
import { dayVisitsQuery } from './today-queries';

/** Who came today, and how the hub is. */
export function TodayPage() {
  const { t } = useTranslation('app');
  const day = useToday();
  const { dayTitle } = useTimeFormat();
  return (
    <Page title={t('today')} actions={<Text c="dimmed">{dayTitle(day)}</Text>}>
      <Today day={day} />
    </Page>
  );
}

function Today({ day }: { readonly day: string }) {
  const { dayOf, hourOf } = useTimeFormat();
  const { data, error, fetchStatus, refetch } = useQuery(dayVisitsQuery(day));
  const visits = useMemo(
    () => data?.filter((one) => one.timeline_kind === 'visit' && dayOf(one.start_time) === day),
    [data, day, dayOf],
  );
  const summary = useMemo(() => visits && summarizeDay(visits, hourOf), [visits, hourOf]);
  if (visits === undefined || summary === undefined) {
    if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
    return fetchStatus === 'paused' ? <Failure error={new Problem(0, {})} /> : <TodayLoading />;
  }
  return (
    <Stack gap="md">
      {visits.length === 0 ? (
        <QuietDay day={day} />
      ) : (
        <>
          <DayLine summary={summary} last={visits.find(isNamed) ?? visits[0]} />
          <SpeciesOfDay day={day} summary={summary} />
        </>
      )}
      <HubAlerts />
      <div className={classes['columns']}>
        <Stack gap="md">
          {visits.length > 0 && <HourCurve day={day} byHour={summary.byHour} />}
          <LiveFeed day={day} visits={visits} />
        </Stack>
        <AsideCards day={day} />
      </div>
    </Stack>
  );
}
