import { Anchor, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Problem } from '../../api/problem';
import { dayHighlightsQuery } from '../../components/highlights/highlight-queries';
import { type Highlight, HighlightReel } from '../../components/highlights/highlight-reel';
import { Page } from '../../components/page';
import { ShareButton } from '../../components/share/share-button';
import { Empty, Failure } from '../../components/states';
import { useNow, useToday } from '../../lib/clock';
import { addDays } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { statusQuery } from '../../lib/hub-facts';
import { useHiddenAnimals } from '../../lib/other-animals';
import { AddSighting } from '../sightings/add-sighting';
import { SectionTitle } from './card';
import { chooseHero } from './choose-hero';
import { Figures, FiguresLoading } from './figures';
import { Hero, HeroLoading } from './hero';
import { HubAlerts } from './hub-alerts';
import { SkyCard } from './sky-card';
import { SpeciesTiles, SpeciesTilesLoading } from './species-of-day';
import { isOfBird, summarizeDay, type Visit } from './summarize-day';
import classes from './today-page.module.css';
import { dayVisitsQuery, overviewQuery, sunTimesQuery } from './today-queries';

const Lower = lazy(() => import('./lower-page').then((file) => ({ default: file.LowerPage })));
const WelcomeCard = lazy(() =>
  import('../welcome/welcome-card').then((file) => ({ default: file.WelcomeCard })),
);

/** Visitors of today and the state of the hub. */
export function TodayPage() {
  const { t } = useTranslation('app');
  const day = useToday();
  const { dayTitle } = useTimeFormat();
  const { data: hasVisits } = useQuery({ ...dayVisitsQuery(day), select: (visits) => visits.length > 0 });
  return (
    <Page
      isWide
      title={t('today')}
      actions={
        <>
          <Text c="dimmed" flex={1}>
            {dayTitle(day)}
          </Text>
          {hasVisits && <ShareButton what={{ day }} title={dayTitle(day)} size={36} />}
          <AddSighting />
        </>
      }
    >
      <Stack gap="lg">
        <HubAlerts />
        <Today day={day} />
      </Stack>
    </Page>
  );
}

function Today({ day }: { readonly day: string }) {
  const { dayOf, hourOf, zone } = useTimeFormat();
  const { data, error, fetchStatus, refetch } = useQuery(dayVisitsQuery(day));
  const { data: highlights, isPending } = useQuery(dayHighlightsQuery(day, zone));
  const [areAnimalsHidden] = useHiddenAnimals();
  const isWide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false });
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
  if (visits === undefined || summary === undefined || (isPending && fetchStatus !== 'paused')) {
    if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
    return fetchStatus === 'paused' ? <Failure error={new Problem(0, {})} /> : <TodayLoading />;
  }
  return (
    <>
      {visits.length === 0 ? (
        <QuietDay day={day} />
      ) : (
        <DayOfVisits
          day={day}
          isWide={isWide === true}
          visits={visits}
          summary={summary}
          highlights={highlights ?? []}
        />
      )}
      <Suspense>
        <Lower
          day={day}
          visits={visits}
          summary={summary}
          isSkyAbove={isWide === true && visits.length > 0}
        />
      </Suspense>
    </>
  );
}

interface DayOfVisitsProps {
  readonly day: string;
  readonly visits: readonly Visit[];
  readonly summary: ReturnType<typeof summarizeDay>;
  readonly highlights: readonly Highlight[];
  readonly isWide: boolean;
}

const minReel = 3;

/** What came: the hero, figures, species, the best moments. */
function DayOfVisits({ day, visits, summary, highlights, isWide }: DayOfVisitsProps) {
  const { t } = useTranslation('today');
  const now = useNow();
  const { data: overview } = useQuery(overviewQuery());
  const noteworthy = useMemo(
    () => new Map(overview?.noteworthy.map(({ species_id, reason }) => [species_id, reason] as const)),
    [overview],
  );
  const hero = useMemo(() => chooseHero(visits, highlights, now.getTime()), [visits, highlights, now]);
  const others = highlights.filter(({ detection_id }) => detection_id !== hero?.detectionId);
  return (
    <>
      <div className={classes['head']} data-plain={hero === undefined || undefined}>
        {hero && <Hero hero={hero} reason={noteworthy.get(hero.speciesId)} />}
        <div className={classes['beside']}>
          <Figures day={day} summary={summary} />
          {isWide && <SkyCard day={day} />}
        </div>
      </div>
      <SpeciesTiles day={day} summary={summary} noteworthy={noteworthy} />
      {others.length >= minReel && (
        <section aria-label={t('best_of_day')}>
          <SectionTitle>{t('best_of_day')}</SectionTitle>
          <HighlightReel highlights={others} label={t('best_of_day')} />
        </section>
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
        <Suspense fallback={<div className={classes['awaited']} />}>
          <WelcomeCard />
        </Suspense>
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
