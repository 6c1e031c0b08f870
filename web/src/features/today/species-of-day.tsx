import { Anchor, Button, Skeleton, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NoteworthyBadge, type NoteworthyReason } from '../../components/highlights/noteworthy-badge';
import { SightingPicture } from '../../components/pictures/sighting-picture';
import { HeardPicture } from '../../components/pictures/sound-picture';
import { SpeciesPicture } from '../../components/pictures/species-picture';
import { Sparkline } from '../../components/sparkline';
import { type DaySummary, type SpeciesOfDay, sortByRelevance } from '../../components/visits/summarize-day';
import { useSpeciesName } from '../../i18n/species-names';
import { useNow } from '../../lib/clock';
import { useTimeFormat } from '../../lib/format';
import { showMore } from '../../lib/show-more';
import { useIsPhone } from '../../lib/use-media';
import { SectionTitle } from './card';
import classes from './species-of-day.module.css';

interface SpeciesTilesProps {
  readonly day: string;
  readonly summary: DaySummary;
  /** Species worth a badge, by id. */
  readonly noteworthy: ReadonlyMap<number, NoteworthyReason>;
}

/** Number of tiles before "show all"; the first has the size of four on a wide screen and of two on a phone. */
const initialCount = { phone: 5, desktop: 9 };

/** Tiles of the species of the day, new and rare ones first; the first tile is large. */
export function SpeciesTiles({ day, summary, noteworthy }: SpeciesTilesProps) {
  const { t } = useTranslation('today');
  const isPhone = useIsPhone();
  const [isExpanded, setExpanded] = useState(false);
  const tiles = useRef<HTMLUListElement>(null);
  const { unnamed } = summary;
  const species = sortByRelevance(summary.species, noteworthy);
  const visibleCount = isPhone ? initialCount.phone : initialCount.desktop;
  const hidden = isExpanded ? 0 : Math.max(0, species.length - visibleCount);
  const peak = Math.max(1, ...species.flatMap(({ byHour }) => byHour));
  if (species.length === 0 && unnamed === 0) return null;
  return (
    <section aria-label={t('species_of_day')}>
      <SectionTitle>{t('species_of_day')}</SectionTitle>
      <ul
        ref={tiles}
        className={classes['tiles']}
        data-few={species.length < initialCount.phone || undefined}
      >
        {species.slice(0, species.length - hidden).map((one, index) => (
          <li key={one.species.id} className={classes['item']}>
            <SpeciesTile
              day={day}
              of={one}
              reason={noteworthy.get(one.species.id)}
              peak={peak}
              isFirst={index === 0}
            />
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button
          variant="light"
          fullWidth
          mt="sm"
          onClick={() => showMore(tiles.current, () => setExpanded(true))}
        >
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
  readonly reason: NoteworthyReason | undefined;
  /** Most visits of any species in an hour. */
  readonly peak: number;
  /** Whether it is the large tile, which is visible immediately. */
  readonly isFirst: boolean;
}

/** Display widths of a tile, as the `sizes` attribute of an image; the first is as wide as two. */
const sizes = '(min-width: 75em) calc((100vw - 208px) / 6), (min-width: 48em) 24vw, 48vw';
const firstSizes = '(min-width: 75em) calc((100vw - 208px) / 3), (min-width: 48em) 48vw, 95vw';
/** Width of pictures divided by height; on a phone, the first is smaller than the hero. */
const usualRatio = 16 / 10;
const firstRatio = 15 / 8;

/** A species of the day; links to its visits. */
function SpeciesTile({ day, of, reason, peak, isFirst }: SpeciesTileProps) {
  const { t } = useTranslation('today');
  const { ago } = useTimeFormat();
  const now = useNow();
  const name = useSpeciesName()(of.species.name);
  const ratio = isFirst ? firstRatio : usualRatio;
  const crop = of.bestDetectionId === undefined ? undefined : `/api/ui/detections/${of.bestDetectionId}/crop`;
  const facts = [
    t('visit_count', { count: of.visits }),
    of.isHeardOnly ? t('heard') : undefined,
    of.maxAtOnce > 1 ? t('peak_count', { count: of.maxAtOnce }) : undefined,
  ];
  return (
    <Link to="/timeline" search={{ date: day, species_id: of.species.id }} className={classes['tile']}>
      <div className={classes['picture']}>
        {of.heard || of.isHeardOnly ? (
          <HeardPicture heard={of.heard ?? null} label={t('heard')} ratio={ratio} />
        ) : crop === undefined ? (
          <SightingPicture url={of.species.image_url} label={t('seen_by_person')} ratio={ratio} />
        ) : (
          <SpeciesPicture
            url={crop}
            alt=""
            ratio={ratio}
            isUrgent={isFirst}
            thumbhash={of.thumbhash}
            sizes={isFirst ? firstSizes : sizes}
          />
        )}
        {reason && <NoteworthyBadge reason={reason} className={classes['badge']} />}
      </div>
      <div className={classes['words']}>
        <Text fw={650} lineClamp={2} className={classes['name']}>
          {name}
        </Text>
        <Text size="sm" c="dimmed" className={classes['facts']}>
          {facts.filter(Boolean).join(' · ')}
        </Text>
        <div className={classes['foot']}>
          <Text size="sm" c="dimmed" component="span" className={classes['last']}>
            {ago(of.lastAt, now)}
          </Text>
          <Sparkline counts={of.byHour} peak={peak} />
        </div>
      </div>
    </Link>
  );
}

/** Placeholder of the tiles. */
export function SpeciesTilesLoading() {
  return (
    <div>
      <Skeleton height="1.55rem" width="12rem" mb="sm" />
      <div className={classes['tiles']}>
        {Array.from({ length: 5 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are all the same.
          <div key={index} className={classes['item']}>
            <div className={classes['tile']}>
              <Skeleton
                className={classes['picture'] ?? ''}
                style={{ aspectRatio: index === 0 ? firstRatio : usualRatio }}
                radius={0}
              />
              <div className={classes['words']}>
                <Skeleton height="1.25rem" width="80%" />
                <Skeleton height="1.3rem" width="60%" />
              </div>
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}
