import { Anchor, Button, Grid, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Problem, problemText } from '../../api/problem';
import type { components } from '../../api/schema';
import { speciesHighlightsQuery } from '../../components/highlights/highlight-queries';
import { HighlightReel } from '../../components/highlights/highlight-reel';
import { Page } from '../../components/page';
import { Empty, Failure, Loading } from '../../components/states';
import { useFoodName } from '../../i18n/food-names';
import { useSpeciesName } from '../../i18n/species-names';
import { useMeasures } from '../../lib/format';
import { HourClock, MonthBars, SectionCard, ShareList } from './charts';
import { SpeciesActions } from './species-actions';
import { SpeciesCard } from './species-card';
import classes from './species-card.module.css';
import { SpeciesHero } from './species-hero';
import { monthsQuery, type SpeciesSummary, soundsQuery, summaryQuery } from './species-queries';
import { groupWeather, licenceName, skies } from './summary-figures';
import { VisitsSection } from './visits-section';

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
    <Page isWide title={nameOf(species.name)} actions={<SpeciesActions species={species} />}>
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
      <BestMoments speciesId={species.id} />
      <FormsSection subspecies={subspecies} />
      <VisitsSection speciesId={species.id} recent={recentVisits} />
    </Page>
  );
}

const minMoments = 3;

/** The best moments of a species. */
function BestMoments({ speciesId }: { readonly speciesId: number }) {
  const { t } = useTranslation('species');
  const { data = [] } = useQuery(speciesHighlightsQuery(speciesId));
  if (data.length < minMoments) return null;
  return (
    <section aria-label={t('best_moments')}>
      <Title order={2} size="h4" mt="lg" mb="xs">
        {t('best_moments')}
      </Title>
      <HighlightReel highlights={data} isNamed={false} isDated label={t('best_moments')} />
    </section>
  );
}

/** Details of a species. */
export function SpeciesPage() {
  const { t, i18n } = useTranslation('species');
  const id = Number(useParams({ from: '/species/$id' }).id);
  const { data, error, refetch } = useQuery(summaryQuery(id, i18n.resolvedLanguage ?? 'en'));
  if (data) return <KnownSpecies key={id} summary={data} />;
  if (error === null) {
    return (
      <Page isWide title={t('one_title')}>
        <Loading rows={3} height={200} />
      </Page>
    );
  }
  if (error instanceof Problem && [400, 404].includes(error.status)) {
    return (
      <Page isWide title={t('one_title')}>
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
    <Page isWide title={t('one_title')}>
      <Failure error={error} onRetry={() => void refetch()} />
    </Page>
  );
}

/** Visits by weather. */
function WeatherCard({ weather }: Pick<SpeciesSummary['stats'], 'weather'>) {
  const { t } = useTranslation('species');
  const { temperature } = useMeasures();
  const groups = groupWeather(weather);
  const steps = groups.temperatures.map(({ from, to, count }) => ({
    name: t('degrees', { from: temperature(from), to: temperature(to) }),
    count,
  }));
  return (
    <SectionCard title={t('weather')} note={t('newest_visits')}>
      <Stack gap="md">
        <ShareList rows={steps} />
        <ShareList rows={skies.map((sky) => ({ name: t(`sky_${sky}`), count: groups.skies[sky] }))} />
      </Stack>
    </SectionCard>
  );
}

/** Visits by food on offer. */
function FoodCard({ food }: Pick<SpeciesSummary['stats'], 'food'>) {
  const { t } = useTranslation('species');
  const foodName = useFoodName();
  return (
    <SectionCard title={t('food')} note={t('newest_visits')}>
      <ShareList rows={food.map((row) => ({ ...row, name: foodName(row.name) }))} />
    </SectionCard>
  );
}

type Sound = components['schemas']['SoundRecording'];

function SoundPlayer({ sound }: { readonly sound: Sound }) {
  const { t } = useTranslation('species');
  const { id, file, type, rec, cnt, length, licence } = sound;
  const about = [rec && t('recorded_by', { name: rec }), cnt, length].filter(Boolean).join(' · ');
  return (
    <Stack gap={4} component="li">
      <Text size="sm" fw={600}>
        {type ?? t('sound')}
      </Text>
      {/* biome-ignore lint/a11y/useMediaCaption: bird sounds have no captions. */}
      <audio
        controls
        preload="none"
        src={file}
        aria-label={`${type ?? t('sound')}, ${about}`}
        style={{ width: '100%' }}
      />
      <Text size="xs" c="dimmed">
        {about} ·{' '}
        <Anchor href={`https://xeno-canto.org/${id}`} target="_blank" rel="noreferrer" size="xs">
          XC{id}
        </Anchor>
        {licence && (
          <>
            {' · '}
            <Anchor href={licence} target="_blank" rel="noreferrer license" size="xs">
              {licenceName(licence) ?? t('licence')}
            </Anchor>
          </>
        )}
      </Text>
    </Stack>
  );
}

/** Sounds of a species from xeno-canto. */
function SoundsCard({ speciesId }: { readonly speciesId: number }) {
  const { t } = useTranslation('species');
  const { data, error } = useQuery(soundsQuery(speciesId));
  return (
    <SectionCard title={t('sounds')}>
      {error && <Text c="dimmed">{problemText(t, error)}</Text>}
      {!data && !error && <Skeleton height={160} />}
      {data && (
        <>
          {data.recordings.length > 0 ? (
            <Stack gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
              {data.recordings.map((sound) => (
                <SoundPlayer key={sound.id} sound={sound} />
              ))}
            </Stack>
          ) : (
            <Text size="sm" c="dimmed">
              {t(data.configured ? 'no_sounds' : 'sounds_need_key')}
            </Text>
          )}
          <Anchor href={data.xeno_canto_search_url} target="_blank" rel="noreferrer" size="sm">
            <Group gap={6} wrap="nowrap">
              {t('more_sounds')}
              <IconExternalLink size={16} aria-hidden />
            </Group>
          </Anchor>
        </>
      )}
    </SectionCard>
  );
}

/** Forms of a species; renders nothing without any. */
function FormsSection({ subspecies }: Pick<SpeciesSummary, 'subspecies'>) {
  const { t } = useTranslation('species');
  const nameOf = useSpeciesName();
  if (subspecies.length === 0) return null;
  return (
    <section aria-labelledby="forms">
      <Title order={2} size="h4" id="forms" mt="lg" mb="sm">
        {t('forms')}
      </Title>
      <div className={classes['grid']}>
        {subspecies.map(({ species: { id, name, scientific_name, image_url } }) => (
          <SpeciesCard
            key={id}
            id={id}
            name={nameOf(name)}
            scientificName={scientific_name}
            imageUrl={image_url}
          />
        ))}
      </div>
    </section>
  );
}
