import { Button, Grid, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Problem } from '../../api/problem';
import { Page } from '../../components/page';
import { Empty, Failure, Loading } from '../../components/states';
import { useSpeciesName } from '../../i18n/species-names';
import { FormsSection } from './forms-section';
import { HourClock } from './hour-clock';
import { MonthBars } from './month-bars';
import { SectionCard } from './section-card';
import { SoundsCard } from './sounds-card';
import { SpeciesActions } from './species-actions';
import { SpeciesHero } from './species-hero';
import { monthsQuery, type SpeciesSummary, summaryQuery } from './species-queries';
import { VisitsSection } from './visits-section';
import { FoodCard, WeatherCard } from './weather-and-food';

const third = { base: 12, sm: 6, lg: 4 };

function MonthsCard({ speciesId }: { readonly speciesId: number }) {
  const { t } = useTranslation('species');
  const { data, isPending } = useQuery(monthsQuery(speciesId));
  if (!isPending && data === undefined) return null;
  return (
    <Grid.Col span={third}>
      <SectionCard title={t('months')} note={t('months_note')}>
        {data ? <MonthBars counts={data} /> : <Skeleton height={180} />}
      </SectionCard>
    </Grid.Col>
  );
}

function KnownSpecies({ summary }: { readonly summary: SpeciesSummary }) {
  const { t } = useTranslation('species');
  const nameOf = useSpeciesName();
  const { species, stats, subspecies, recentVisits } = summary;
  return (
    <Page title={nameOf(species.name)} actions={<SpeciesActions species={species} />}>
      <SpeciesHero summary={summary} />
      <Grid gap="md">
        <Grid.Col span={third}>
          <SectionCard title={t('hours')} note={t('hours_note')}>
            <HourClock counts={stats.hourlyVisits} />
          </SectionCard>
        </Grid.Col>
        <MonthsCard speciesId={species.id} />
        <Grid.Col span={third}>
          <SoundsCard speciesId={species.id} />
        </Grid.Col>
        {stats.weather.length > 0 && (
          <Grid.Col span={third}>
            <WeatherCard weather={stats.weather} />
          </Grid.Col>
        )}
        {stats.food.length > 0 && (
          <Grid.Col span={third}>
            <FoodCard food={stats.food} />
          </Grid.Col>
        )}
      </Grid>
      <FormsSection subspecies={subspecies} />
      <VisitsSection key={species.id} speciesId={species.id} recent={recentVisits} />
    </Page>
  );
}

/** All that is known of one species. */
export function SpeciesPage() {
  const { t, i18n } = useTranslation('species');
  const id = Number(useParams({ from: '/species/$id' }).id);
  const { data, error, refetch } = useQuery(summaryQuery(id, i18n.resolvedLanguage ?? 'en'));
  if (data) return <KnownSpecies summary={data} />;
  if (error === null) {
    return (
      <Page title={t('one_title')}>
        <Loading rows={3} height={200} />
      </Page>
    );
  }
  if (error instanceof Problem && [400, 404].includes(error.status)) {
    return (
      <Page title={t('one_title')}>
        <Empty
          title={t('not_found')}
          action={
            <Button renderRoot={(props) => <Link to="/species" {...props} />}>{t('to_gallery')}</Button>
          }
        >
          {t('not_found_hint')}
        </Empty>
      </Page>
    );
  }
  return (
    <Page title={t('one_title')}>
      <Failure error={error} onRetry={() => void refetch()} />
    </Page>
  );
}
