import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDeferredValue, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { dayHighlightsQuery } from '../../components/highlights/highlight-queries';
import { lazyComponent, lazyPart } from '../../components/lazy-part';
import { Page } from '../../components/page';
import { PartBoundary } from '../../components/part-boundary';
import { ShareButton } from '../../components/share/share-button';
import { Empty, Failure } from '../../components/states';
import { isNamed, isOfBird, summarizeDay } from '../../components/visits/summarize-day';
import { WhenNear } from '../../components/when-near';
import { useNow, useToday } from '../../lib/clock';
import { addDays } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { hasProblem, statusIntervalMs, statusQuery } from '../../lib/hub-facts';
import { useHiddenAnimals } from '../../lib/other-animals';
import { useMedia } from '../../lib/use-media';
import { AddSighting } from '../sightings/add-sighting';
import { chooseHero } from './choose-hero';
import { Figures, FiguresLoading } from './figures';
import { Hero, HeroLoading } from './hero';
import { SpeciesTiles, SpeciesTilesLoading } from './species-of-day';
import classes from './today-page.module.css';
import { dayVisitsQuery, overviewQuery, sunTimesQuery } from './today-queries';

const HubAlerts = lazyComponent(() => import('./hub-alerts').then((file) => file.HubAlerts));
const Lower = lazyPart(() => import('./lower-page').then((file) => file.LowerPage));
const SkyCard = lazyComponent(() => import('./sky-card').then((file) => file.SkyCard));
const WelcomeCard = lazyPart(() => import('../welcome/welcome-card').then((file) => file.WelcomeCard));

/** Visitors of today and the state of the hub. */
export function TodayPage() {
  const { t } = useTranslation('app');
  const day = useToday();
  const { dayTitle, dayOfYearTitle, dayOf } = useTimeFormat();
  // The hub shares only days with a visit of a known bird.
  const { data: isShareable } = useQuery({
    ...dayVisitsQuery(day),
    select: (items) =>
      items.some((one) => one.timeline_kind === 'visit' && isNamed(one) && dayOf(one.start_time) === day),
  });
  return (
    <Page
      isWide
      title={t('today')}
      actions={
        <>
          <Text c="dimmed" flex={1}>
            {dayOfYearTitle(day)}
          </Text>
          {isShareable && <ShareButton what={{ day }} title={dayTitle(day)} size={36} />}
          <AddSighting />
        </>
      }
    >
      <Stack gap="lg">
        <Alerts />
        <Today day={day} />
      </Stack>
    </Page>
  );
}

/** Warnings, if any. */
function Alerts() {
  const { data: isWrong = false } = useQuery({
    ...statusQuery,
    refetchInterval: statusIntervalMs,
    select: hasProblem,
  });
  return (
    isWrong && (
      <PartBoundary>
        <HubAlerts />
      </PartBoundary>
    )
  );
}

function Today({ day }: { readonly day: string }) {
  const { dayOf, hourOf, zone } = useTimeFormat();
  const { data, error, refetch } = useQuery(dayVisitsQuery(day));
  const { data: highlights, isPending } = useQuery(dayHighlightsQuery(day, zone));
  const [areAnimalsHidden] = useHiddenAnimals();
  const isWide = useMedia('(min-width: 62em)');
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
  const now = useNow();
  const hero = useMemo(
    () => visits && chooseHero(visits, highlights ?? [], now.getTime()),
    [visits, highlights, now],
  );
  if (visits === undefined || summary === undefined || isPending)
    return error === null ? <TodayLoading /> : <Failure error={error} onRetry={() => void refetch()} />;
  const isSkyAbove = isWide && visits.length > 0;
  const lower = (
    <Lower
      day={day}
      visits={visits}
      summary={summary}
      highlights={highlights?.filter(({ detection_id }) => detection_id !== hero?.detectionId) ?? []}
      isSkyAbove={isSkyAbove}
    />
  );
  return (
    <>
      {visits.length === 0 ? (
        <QuietDay day={day} />
      ) : (
        <DayOfVisits day={day} isWide={isWide} summary={summary} hero={hero} />
      )}
      {visits.length === 0 ? (
        <PartBoundary>{lower}</PartBoundary>
      ) : (
        <WhenNear height="100vh">{lower}</WhenNear>
      )}
    </>
  );
}

interface DayOfVisitsProps {
  readonly day: string;
  readonly summary: ReturnType<typeof summarizeDay>;
  readonly hero: ReturnType<typeof chooseHero>;
  readonly isWide: boolean;
}

/** The visits of the day: hero, figures, species. */
function DayOfVisits({ day, summary, hero, isWide }: DayOfVisitsProps) {
  const { data: overview } = useQuery(overviewQuery());
  const noteworthy = useMemo(
    () => new Map(overview?.noteworthy.map(({ species_id, reason }) => [species_id, reason] as const)),
    [overview],
  );
  // The hero is painted before the tiles are rendered.
  const areTilesRendered = useDeferredValue(true, hero === undefined);
  return (
    <>
      <div className={classes['head']} data-plain={hero === undefined || undefined}>
        {hero && <Hero hero={hero} reason={noteworthy.get(hero.speciesId)} />}
        <div className={classes['beside']}>
          <Figures day={day} summary={summary} />
          {isWide && (
            <PartBoundary fallback={<div className={classes['skyAwaited']} />}>
              <SkyCard day={day} />
            </PartBoundary>
          )}
        </div>
      </div>
      {areTilesRendered ? (
        <SpeciesTiles day={day} summary={summary} noteworthy={noteworthy} />
      ) : (
        <div className={classes['tilesAwaited']} />
      )}
    </>
  );
}

function TodayLoading() {
  const { t } = useTranslation('components');
  return (
    <Stack gap="lg" role="status" aria-label={t('loading')}>
      <div className={classes['head']}>
        <HeroLoading />
        <FiguresLoading />
      </div>
      <SpeciesTilesLoading />
    </Stack>
  );
}

/** Shown without visits: before dawn, later, or while no detector or source is connected. */
function QuietDay({ day }: { readonly day: string }) {
  const { t } = useTranslation('today');
  const { clock } = useTimeFormat();
  const now = useNow();
  const { data: status } = useQuery(statusQuery);
  const { data: sun } = useQuery(sunTimesQuery(day));
  if (status?.processor === 'unknown' && status.sources.length === 0) {
    return (
      <div className={classes['quiet']}>
        <PartBoundary fallback={<div className={classes['awaited']} />}>
          <WelcomeCard />
        </PartBoundary>
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
