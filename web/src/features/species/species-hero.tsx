import { Anchor, Box, Grid, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { HeardPicture } from '../../components/pictures/sound-picture';
import { SpeciesPicture } from '../../components/pictures/species-picture';
import { linkToMoment, type TimelineItem } from '../../components/visits/describe-visit';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';
import { speciesListQuery } from '../../lib/species-list';
import classes from './species-hero.module.css';
import type { SpeciesSummary } from './species-queries';
import { chooseCrops } from './summary-figures';

function Description({ species }: Pick<SpeciesSummary, 'species'>) {
  const { t } = useTranslation('species');
  const { description, description_language: language, description_source: source } = species;
  if (description === null) return <Text c="dimmed">{t('no_description')}</Text>;
  return (
    <Box maw={680}>
      <Text style={{ whiteSpace: 'pre-line' }} lh={1.6} lang={language ?? undefined}>
        {description}
      </Text>
      {source && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('source')}{' '}
          {source.url && (
            <Anchor href={source.url} target="_blank" rel="noreferrer" size="xs">
              {new URL(source.url).hostname}
            </Anchor>
          )}
          {source.licence && `, ${source.licence}`}
        </Text>
      )}
    </Box>
  );
}

const spans = ['24h', '7d', '30d'] as const;

function Figures({ stats }: Pick<SpeciesSummary, 'stats'>) {
  const { t } = useTranslation('species');
  const { moment, number } = useTimeFormat();
  const { first_sighting: first, last_sighting: last } = stats.timeRange;
  const { total_visits, heard_only, peak_count_30d: peak } = stats;
  const evidence = [
    t('visit_count', { count: total_visits }),
    ...(heard_only ? [t('heard_only')] : []),
    ...(!heard_only && peak !== null ? [t('peak_count', { count: peak })] : []),
  ];
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600} mb={-8}>
        {t('seen_in_last')}
      </Text>
      <Group component="dl" gap="xl" m={0}>
        {spans.map((span) => (
          <div key={span} style={{ display: 'flex', flexDirection: 'column-reverse' }}>
            <Text component="dt" size="sm" c="dimmed">
              {t(`last_${span}`)}
            </Text>
            <Text
              component="dd"
              m={0}
              fz={32}
              fw={650}
              lh={1.1}
              style={{ fontVariantNumeric: 'tabular-nums' }}
            >
              {number(stats.visits[`visits_${span}`])}
            </Text>
          </div>
        ))}
      </Group>
      {first === null || last === null ? (
        <Text c="dimmed">{t('never')}</Text>
      ) : (
        <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {evidence.join(' · ')}
          <br />
          {t('first_seen', { moment: moment(first) })}
          <br />
          {t('last_seen', { moment: moment(last) })}
        </Text>
      )}
    </Stack>
  );
}

/** Picture, figures and description of a species. */
export function SpeciesHero({ summary }: { readonly summary: SpeciesSummary }) {
  const { t } = useTranslation('species');
  const nameOf = useSpeciesName();
  const { species, stats, recentVisits } = summary;
  const [best] = chooseCrops(recentVisits, 1);
  const heard = recentVisits.find((visit) => visit.heard !== null)?.heard;
  // Without a list of species from the detector, it may detect all of them.
  const { data: isListKnown } = useQuery({
    ...speciesListQuery,
    select: (all) => all.some(({ active }) => active),
  });
  return (
    <Grid gap="lg" mb="lg">
      <Grid.Col span={{ base: 12, sm: 6, lg: 5 }}>
        {species.image_url === null && best === undefined && heard ? (
          <HeardPicture heard={heard} label={t('heard_only')} />
        ) : (
          <SpeciesPicture
            url={species.image_url}
            fallbackUrl={best && `/api/ui/detections/${best.detectionId}/crop`}
            alt={nameOf(species.name)}
            isUrgent
            thumbhash={species.thumbhash}
            sizes="(min-width: 88em) 42rem, (min-width: 75em) 32rem, (min-width: 48em) 50vw, 100vw"
          />
        )}
        <BestCrops visits={recentVisits} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, sm: 6, lg: 7 }}>
        <Stack gap="md">
          <Group gap="xs">
            {species.scientific_name && <Text fs="italic">{species.scientific_name}</Text>}
            {species.parent && (
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link to="/species/$id" params={{ id: String(species.parent?.id) }} {...props} />
                )}
              >
                {nameOf(species.parent.name)}
              </Anchor>
            )}
            {!species.active && isListKnown && (
              <Text size="sm" c="dimmed">
                {t('inactive')}
              </Text>
            )}
          </Group>
          <Figures stats={stats} />
          <Description species={species} />
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

/** Fits into one row. */
const maxCrops = 5;

/** Best crops of the latest visits, linked to their recordings. */
function BestCrops({ visits }: { readonly visits: readonly TimelineItem[] }) {
  const { t } = useTranslation('species');
  const { moment } = useTimeFormat();
  const crops = chooseCrops(visits, maxCrops);
  if (crops.length < 2) return null;
  return (
    <ul className={classes['row']} aria-label={t('pictures')}>
      {crops.map(({ detectionId, videoId, startTime, thumbhash }) => (
        <li key={detectionId}>
          <Link
            {...linkToMoment({ videoId, detectionId })}
            aria-label={t('picture_of', { moment: moment(startTime) })}
            title={moment(startTime)}
            className={classes['crop']}
          >
            <SpeciesPicture
              url={`/api/ui/detections/${detectionId}/crop`}
              alt=""
              ratio={1}
              thumbhash={thumbhash}
              sizes="(min-width: 48em) 6rem, 20vw"
            />
          </Link>
        </li>
      ))}
    </ul>
  );
}
