import { Box, Button, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page';
import { Empty, Failure, Loading } from '../../components/states';
import { useSpeciesName } from '../../i18n/species-names';
import { dimmedWhile } from '../../lib/previous-data';
import scale from './calendar.module.css';
import { CalendarControls } from './calendar-controls';
import { type CalendarSpecies, calendarQuery, useCalendarSearch, useCalendarView } from './calendar-queries';
import { sortOf } from './calendar-search';
import { DayView } from './day-view';
import { heatBounds } from './heat';
import { HeatLegend } from './heat-legend';
import { HeatMap } from './heat-map';
import { SpeciesLink } from './labels';
import { SeasonBars } from './season-bars';
import { sortSpecies } from './seasons';
import { YearView } from './year-view';

/** Species by day or month, or through the year. */
export function CalendarPage() {
  const { t } = useTranslation('calendar');
  const [search] = useCalendarSearch();
  const view = useCalendarView();
  const isByMonth = view === 'months' || view === 'seasons';
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...calendarQuery(search),
    enabled: isByMonth,
  });
  return (
    <Page isWide title={t('title')}>
      <CalendarControls />
      {view === 'days' ? (
        <DayView until={search.until} />
      ) : view === 'year' ? (
        <YearView year={search.year} />
      ) : data ? (
        <Box {...dimmedWhile(isPlaceholderData)}>
          <Calendar species={data.species} />
        </Box>
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading rows={12} height={32} />
      )}
    </Page>
  );
}

function Calendar({ species }: { readonly species: readonly CalendarSpecies[] }) {
  const { t } = useTranslation('calendar');
  const [search] = useCalendarSearch();
  const { view, metric = 'visits' } = search;
  const nameOf = useSpeciesName();
  const order = sortOf(search);
  const sorted = useMemo(() => sortSpecies(species, order, nameOf), [species, order, nameOf]);
  const seen = sorted.filter(({ total }) => total > 0);
  const unseen = sorted.filter(({ total }) => total === 0);
  const highest = Math.max(0, ...seen.flatMap(({ monthly_counts }) => monthly_counts));
  const bounds = useMemo(() => heatBounds(highest), [highest]);
  return (
    <>
      {seen.length === 0 ? (
        <NothingYet />
      ) : view === 'seasons' ? (
        <SeasonBars caption={t('caption_seasons')} species={seen} isWholeYear={isWholeYear(seen)} />
      ) : (
        <Stack gap="sm">
          <HeatLegend bounds={bounds} highest={highest} unit={t(metric)} />
          <HeatMap caption={t(`caption_${metric}`)} species={seen} bounds={bounds} />
        </Stack>
      )}
      {unseen.length > 0 && <UnseenSpecies species={unseen} />}
    </>
  );
}

/** Whether every month has visits; an empty one may mean that nothing was recorded. */
function isWholeYear(species: readonly CalendarSpecies[]): boolean {
  return Array.from({ length: 12 }, (_, month) => month).every((month) =>
    species.some(({ monthly_counts }) => (monthly_counts[month] ?? 0) > 0),
  );
}

function NothingYet() {
  const { t } = useTranslation('calendar');
  const [{ from, to, evidence }, change] = useCalendarSearch();
  if (from === undefined && to === undefined && evidence === undefined)
    return (
      <Empty
        title={t('empty')}
        action={<Button renderRoot={(props) => <Link to="/" {...props} />}>{t('to_today')}</Button>}
      >
        {t('empty_hint')}
      </Empty>
    );
  const showAll = () => change({ from: undefined, to: undefined, evidence: undefined });
  return (
    <Empty title={t('empty_choice')} action={<Button onClick={showAll}>{t('show_all')}</Button>}>
      {t('empty_choice_hint')}
    </Empty>
  );
}

/** Species of the catalogue without visits, as a list. */
function UnseenSpecies({ species }: { readonly species: readonly CalendarSpecies[] }) {
  const { t } = useTranslation('calendar');
  return (
    <section className={scale['unseen']}>
      <Title order={2} size="h4" mb="sm">
        {t('unseen', { count: species.length })}
      </Title>
      <ul className={scale['unseenList']}>
        {species.map((one) => (
          <li key={one.id}>
            <SpeciesLink species={one} />
          </li>
        ))}
      </ul>
    </section>
  );
}
