import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Problem } from '../../api/problem';
import { Page } from '../../components/page';
import { Empty, Failure } from '../../components/states';
import { linkToMoment, momentOf } from '../../components/visits/describe-visit';
import { useSpeciesName } from '../../i18n/species-names';
import { useNow, useToday } from '../../lib/clock';
import { addDays } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { statusIntervalMs, statusQuery } from '../../lib/hub-facts';
import { useHiddenAnimals } from '../../lib/other-animals';
import { AddSighting } from '../sightings/add-sighting';
import { AsideCards } from './aside-cards';
import { SourcesLink, SystemLink } from './card';
import { HourCurve } from './hour-curve';
import { LiveFeed } from './live-feed';
import { SpeciesTiles, SpeciesTilesLoading } from './species-of-day';
import { type DaySummary, isNamed, isOfBird, summarizeDay, type Visit } from './summarize-day';
import classes from './today-page.module.css';
import { dayVisitsQuery, overviewQuery, sunTimesQuery } from './today-queries';

/** Visitors of today and the state of the hub. */
export function TodayPage() {
  const { t } = useTranslation('app');
  const day = useToday();
  const { dayTitle } = useTimeFormat();
  return (
    <Page
      title={t('today')}
      actions={
        <>
          <Text c="dimmed" flex={1}>
            {dayTitle(day)}
          </Text>
          <AddSighting />
        </>
      }
    >
      <Today day={day} />
    </Page>
  );
}

function Today({ day }: { readonly day: string }) {
  const { dayOf, hourOf } = useTimeFormat();
  const { data, error, fetchStatus, refetch } = useQuery(dayVisitsQuery(day));
  const [areAnimalsHidden] = useHiddenAnimals();
  const visits = useMemo(
    () =>
      data?.filter(
        (one) =>
          one.timeline_kind === 'visit' &&
          dayOf(one.start_time) === day &&
          (isOfBird(one) || !areAnimalsHidden),
      ),
    [data, day, dayOf, areAnimalsHidden],
  );
  const summary = useMemo(() => visits && summarizeDay(visits, hourOf), [visits, hourOf]);
  if (visits === undefined || summary === undefined) {
    if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
    return fetchStatus === 'paused' ? <Failure error={new Problem(0, {})} /> : <SpeciesTilesLoading />;
  }
  return (
    <Stack gap="md">
      {visits.length === 0 ? (
        <QuietDay day={day} />
      ) : (
        <>
          <DayLine summary={summary} last={visits.find(isNamed) ?? visits[0]} />
          <SpeciesTiles day={day} summary={summary} />
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

interface DayLineProps {
  readonly summary: DaySummary;
  /** The latest visit. */
  readonly last: Visit | undefined;
}

/** One-line summary of the day, with the last visitor. */
function DayLine({ summary, last }: DayLineProps) {
  const { t } = useTranslation('today');
  return (
    <div className={classes['line']}>
      <Text>
        {t('species_count', { count: summary.species.length })}, {t('visit_count', { count: summary.visits })}
      </Text>
      {last && <LastVisitor visit={last} />}
    </div>
  );
}

function LastVisitor({ visit }: { readonly visit: Visit }) {
  const { t } = useTranslation('today');
  const { ago } = useTimeFormat();
  const nameOf = useSpeciesName();
  const now = useNow();
  const name = nameOf(visit.species.name);
  return (
    <Text>
      {t('last_visitor')}{' '}
      <Anchor inherit renderRoot={(props) => <Link {...linkToMoment(momentOf(visit))} {...props} />}>
        {name}
      </Anchor>
      , {ago(visit.end_time, now)}
    </Text>
  );
}

/** Shown without visits: before dawn, later, or while nothing is connected that birds could come from. */
function QuietDay({ day }: { readonly day: string }) {
  const { t } = useTranslation('today');
  const { clock } = useTimeFormat();
  const now = useNow();
  const { data: status } = useQuery(statusQuery);
  const { data: sun } = useQuery(sunTimesQuery(day));
  if (status?.processor === 'unknown' && status.sources.length === 0) {
    return (
      <div className={classes['quiet']}>
        <Empty
          title={t('no_source')}
          action={
            <Button renderRoot={(props) => <Link to="/sources" {...props} />}>{t('connect_source')}</Button>
          }
        >
          {t('no_source_hint')}
        </Empty>
      </div>
    );
  }
  const dawn = sun?.dawn ?? sun?.sunrise;
  const isNight = typeof dawn === 'string' && now < new Date(dawn);
  return (
    <div className={classes['quiet']}>
      <Empty title={t(isNight ? 'before_dawn' : 'nobody_yet')} action={<Yesterday day={addDays(day, -1)} />}>
        {isNight ? t('before_dawn_hint', { dawn: clock(dawn) }) : t('nobody_yet_hint')}
      </Empty>
    </div>
  );
}

function Yesterday({ day }: { readonly day: string }) {
  const { t } = useTranslation('today');
  const { data: overview } = useQuery(overviewQuery(day));
  const count = overview?.stats.uniqueSpecies ?? 0;
  if (count === 0) return null;
  return (
    <Anchor renderRoot={(props) => <Link to="/timeline" search={{ date: day }} {...props} />}>
      {t('yesterday', { count })}
    </Anchor>
  );
}

/** Warnings about why birds may be missing. */
function HubAlerts() {
  const { t } = useTranslation('today');
  const { ago } = useTimeFormat();
  const now = useNow();
  const { data: status } = useQuery({ ...statusQuery, refetchInterval: statusIntervalMs });
  if (status === undefined) return null;
  const lastSeen = status.processor_last_seen;
  const namesOf = (state: 'error' | 'silent') =>
    status.sources.filter((source) => source.state === state).map(({ name }) => name);
  const [failing, silent] = [namesOf('error'), namesOf('silent')];
  return (
    <>
      {status.storage === 'error' && (
        <Alert color="red" title={t('storage_full')}>
          {t('storage_full_hint')} <SystemLink />
        </Alert>
      )}
      {status.processor === 'error' && lastSeen !== null && (
        <Alert color="yellow" title={t('processor_away', { ago: ago(lastSeen, now) })}>
          {t('processor_away_hint')} <SystemLink />
        </Alert>
      )}
      {failing.length > 0 && (
        <Alert color="red" title={t('sources_failing', { count: failing.length, names: failing.join(', ') })}>
          {t('sources_failing_hint')} <SourcesLink />
        </Alert>
      )}
      {silent.length > 0 && (
        <Alert color="yellow" title={t('sources_silent', { count: silent.length, names: silent.join(', ') })}>
          {t('sources_silent_hint')} <SourcesLink />
        </Alert>
      )}
    </>
  );
}
