import { Button, Grid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconTimeline, IconVideoOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Problem } from '../../api/problem';
import type { components } from '../../api/schema';
import { Chip, ChipRow } from '../../components/chips';
import { Page } from '../../components/page';
import { SpeciesPicture } from '../../components/pictures/species-picture';
import { Empty, Failure, Loading } from '../../components/states';
import { VisitCard } from '../../components/visits/visit-card';
import { useSpeciesName } from '../../i18n/species-names';
import { camerasQuery, useCameraName } from '../../lib/cameras';
import { useToday } from '../../lib/clock';
import { useTimeFormat } from '../../lib/format';
import { useHubFacts } from '../../lib/hub-facts';
import { HourClock, SectionCard } from '../species/charts';
import { groupByDay } from '../species/visits-section';
import { BirdPlaces } from './bird-places';
import classes from './camera-page.module.css';
import { activityQuery, latestVisitsQuery, placesQuery } from './camera-queries';
import { cameraRanges, firstDayOf } from './camera-search';
import { LiveTile } from './live-tile';

const route = getRouteApi('/cameras/$id');

/** A camera: live picture, visits, hours, species, and where birds appear in its picture. */
export function CameraPage() {
  const { t } = useTranslation('live-view');
  const { id } = route.useParams();
  const { range = 'week' } = route.useSearch();
  const navigate = route.useNavigate();
  const to = useToday();
  const from = firstDayOf(range, to);
  const { zone } = useHubFacts();
  const query = { id, from, to, zone };
  const activity = useQuery(activityQuery(query));
  const name = useCameraName()(id);
  const { error, data, refetch } = activity;
  if (error instanceof Problem && [400, 404].includes(error.status)) {
    return (
      <Page title={id}>
        <Empty
          icon={IconVideoOff}
          title={t('unknown_camera')}
          action={<Button renderRoot={(props) => <Link to="/live" {...props} />}>{t('to_live')}</Button>}
        />
      </Page>
    );
  }
  return (
    <Page
      title={name}
      isWide
      actions={
        <Button
          variant="default"
          leftSection={<IconTimeline size={18} aria-hidden />}
          renderRoot={(props) => <Link to="/timeline" search={{ from, to, camera_id: id }} {...props} />}
        >
          {t('all_visits')}
        </Button>
      }
    >
      <Stack gap="md">
        <ChipRow label={t('range')}>
          {cameraRanges.map((one) => (
            <Chip
              key={one}
              isOn={range === one}
              onClick={() => void navigate({ search: { range: one }, replace: true })}
            >
              {t(`range_${one}`)}
            </Chip>
          ))}
        </ChipRow>
        {error !== null && data === undefined ? (
          <Failure error={error} onRetry={() => void refetch()} />
        ) : (
          <CameraDetails query={query} activity={data} />
        )}
      </Stack>
    </Page>
  );
}

type Activity = components['schemas']['CameraActivity'];

interface CameraDetailsProps {
  readonly query: Parameters<typeof activityQuery>[0];
  /** Undefined while it is loading. */
  readonly activity: Activity | undefined;
}

function CameraDetails({ query, activity }: CameraDetailsProps) {
  const { t } = useTranslation('live-view');
  const { number } = useTimeFormat();
  const { data: cameras } = useQuery(camerasQuery);
  const camera = cameras?.find(({ id }) => id === query.id);
  const isWatchable = camera?.enabled === true && camera.stream_url !== null;
  const { visits = 0, species = 0 } = activity ?? {};
  return (
    <>
      <Text aria-live="polite">
        {activity === undefined
          ? ' '
          : `${t('visits', { count: visits, visits: number(visits) })} · ${t('species', { count: species })}`}
      </Text>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="md">
            {isWatchable && <LiveTile id={query.id} name={camera.name} />}
            <LatestVisits query={query} />
            <Places query={query} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="md">
            <SectionCard title={t('hours')}>
              {activity ? <HourClock counts={activity.hours} /> : <Skeleton height={240} />}
            </SectionCard>
            {activity !== undefined && activity.top_species.length > 0 && (
              <TopSpecies species={activity.top_species} />
            )}
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function LatestVisits({ query }: Pick<CameraDetailsProps, 'query'>) {
  const { t } = useTranslation('live-view');
  const { data, error, refetch } = useQuery(latestVisitsQuery(query));
  const { dayOf, dayTitle } = useTimeFormat();
  return (
    <section aria-labelledby="camera-visits">
      <Title order={2} size="h4" id="camera-visits" mb="sm">
        {t('latest')}
      </Title>
      {data === undefined && error === null && <Loading rows={2} height={96} />}
      {data === undefined && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <Text c="dimmed">{t('no_visits')}</Text>}
      {data !== undefined && data.length > 0 && (
        <Stack gap="sm">
          {groupByDay(data, dayOf).map(({ day, visits }) => (
            <section key={day} aria-label={dayTitle(day)}>
              <Title order={3} size="h6" mb="xs">
                {dayTitle(day)}
              </Title>
              <div className={classes['visits']}>
                {visits.map((visit) => (
                  <VisitCard key={visit.id} visit={visit} />
                ))}
              </div>
            </section>
          ))}
        </Stack>
      )}
    </section>
  );
}

function Places({ query }: Pick<CameraDetailsProps, 'query'>) {
  const { t } = useTranslation('live-view');
  const { data, error, refetch } = useQuery(placesQuery(query));
  return (
    <SectionCard title={t('places')}>
      {data !== undefined && <BirdPlaces places={data} />}
      {data === undefined && error === null && <Skeleton height={320} />}
      {data === undefined && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
    </SectionCard>
  );
}

function TopSpecies({ species }: { readonly species: Activity['top_species'] }) {
  const { t } = useTranslation('live-view');
  const nameOf = useSpeciesName();
  const { number } = useTimeFormat();
  const max = Math.max(1, ...species.map(({ visits }) => visits));
  return (
    <SectionCard title={t('top_species')}>
      <ul className={classes['species']}>
        {species.map(({ id, name, image_url, visits }) => (
          <li key={id}>
            <Link className={classes['kind']} to="/species/$id" params={{ id: String(id) }}>
              <span className={classes['face']}>
                <SpeciesPicture url={image_url} alt="" ratio={1} sizes="36px" />
              </span>
              <span className={classes['name']}>{nameOf(name)}</span>
              <span className={classes['count']}>{number(visits)}</span>
              <span className={classes['bar']} aria-hidden="true">
                <span style={{ width: `${(visits / max) * 100}%` }} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </SectionCard>
  );
}
