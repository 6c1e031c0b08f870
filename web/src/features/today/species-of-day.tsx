import { Anchor, Badge, Button, Skeleton, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HeardPicture } from '../../components/pictures/sound-picture';
import { SpeciesPicture } from '../../components/pictures/species-picture';
import { ToldPicture } from '../../components/pictures/told-picture';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';
import classes from './species-of-day.module.css';
import type { DaySummary, SpeciesOfDay } from './summarize-day';
import { earlierThisYearQuery } from './today-queries';

interface SpeciesTilesProps {
  readonly day: string;
  readonly summary: DaySummary;
}

/** Tiles shown before "show all". */
const atFirst = { phone: 6, desktop: 12 };

/** Tiles of the species of the day; those new this year have a badge. */
export function SpeciesTiles({ day, summary }: SpeciesTilesProps) {
  const { t } = useTranslation('today');
  const isWide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false });
  const [isWhole, setWhole] = useState(false);
  const { data: earlier } = useQuery(earlierThisYearQuery(day));
  const { species, unnamed } = summary;
  const most = isWide ? atFirst.desktop : atFirst.phone;
  const hidden = isWhole ? 0 : Math.max(0, species.length - most);
  return (
    <section aria-label={t('species_of_day')}>
      <ul className={classes['tiles']}>
        {species.slice(0, species.length - hidden).map((one, place) => (
          <li key={one.species.id}>
            <SpeciesTile
              day={day}
              of={one}
              isNew={earlier !== undefined && !earlier.includes(one.species.id)}
              isUrgent={place < most}
            />
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button variant="light" fullWidth mt="sm" onClick={() => setWhole(true)}>
          {t('show_all_species', { count: species.length })}
        </Button>
      )}
      {unnamed > 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          {t('nameless', { count: unnamed })}{' '}
          <Anchor inherit renderRoot={(props) => <Link to="/timeline" search={{ review: 1 }} {...props} />}>
            {t('name_them')}
          </Anchor>
        </Text>
      )}
    </section>
  );
}

interface SpeciesTileProps {
  readonly day: string;
  readonly of: SpeciesOfDay;
  /** Whether it is the first day of this year with the species. */
  readonly isNew: boolean;
  /** Whether its picture loads eagerly. */
  readonly isUrgent: boolean;
}

/** A species of the day; links to its visits. */
function SpeciesTile({ day, of, isNew, isUrgent }: SpeciesTileProps) {
  const { t } = useTranslation('today');
  const { clock } = useTimeFormat();
  const name = useSpeciesName()(of.species.name);
  const [first, last] = [clock(of.firstAt), clock(of.lastAt)];
  const crop = of.bestDetectionId && `/api/ui/detections/${of.bestDetectionId}/crop`;
  return (
    <Link to="/timeline" search={{ date: day, species_id: of.species.id }} className={classes['tile']}>
      {of.heard ? (
        <HeardPicture heard={of.heard} label={t('heard')} ratio={16 / 10} />
      ) : crop === undefined && !of.isHeardOnly ? (
        <ToldPicture url={of.species.image_url} label={t('told')} ratio={16 / 10} />
      ) : (
        <SpeciesPicture
          url={crop || of.species.image_url}
          fallbackUrl={of.species.image_url}
          alt=""
          ratio={16 / 10}
          isUrgent={isUrgent}
        />
      )}
      {isNew && <Badge className={classes['badge']}>{t('new_this_year')}</Badge>}
      <div className={classes['words']}>
        <Text fw={650} lineClamp={2} className={classes['name']}>
          {name}
        </Text>
        <Text size="sm" c="dimmed" className={classes['times']}>
          {t('visit_count', { count: of.visits })}
          {of.isHeardOnly && ` · ${t('heard')}`}
          {of.maxAtOnce > 1 && ` · ${t('peak_count', { count: of.maxAtOnce })}`}
          <span>{first === last ? first : `${first}–${last}`}</span>
        </Text>
      </div>
    </Link>
  );
}

/** Placeholder of the tiles. */
export function SpeciesTilesLoading() {
  const { t } = useTranslation('components');
  return (
    <Stack gap="md" role="status" aria-label={t('loading')}>
      <Skeleton height="1.55rem" width="16rem" />
      <div className={classes['tiles']}>
        {Array.from({ length: 6 }, (_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the places are all the same.
          <div key={place} className={classes['tile']}>
            <Skeleton style={{ aspectRatio: 16 / 10 }} radius={0} />
            <div className={classes['words']}>
              <Skeleton height="2.5rem" />
              <Skeleton height="1.4rem" />
            </div>
          </div>
        ))}
      </div>
    </Stack>
  );
}
