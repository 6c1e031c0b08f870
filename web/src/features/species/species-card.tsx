import { Badge, Text } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { SpeciesPicture } from '../../components/pictures/species-picture';
import { Sparkline } from '../../components/sparkline';
import { useNow } from '../../lib/clock';
import { useTimeFormat } from '../../lib/format';
import classes from './species-card.module.css';
import type { ObservedSpecies } from './species-queries';

interface SpeciesCardProps {
  readonly id: number;
  /** In the language of the page. */
  readonly name: string;
  readonly scientificName: string | null;
  readonly imageUrl: string | null;
  /** ThumbHash of the picture in Base64. */
  readonly thumbhash?: string | null;
  /** Number of visits; hidden if undefined. */
  readonly visits?: number;
  readonly isHeardOnly?: boolean;
  readonly isUrgent?: boolean;
  /** Last visit and visits by month; hidden if undefined. */
  readonly presence?: Pick<ObservedSpecies, 'last_visit_at' | 'monthly_visits'> | undefined;
  readonly isNew?: boolean;
}

/** Display width of the picture, as the `sizes` attribute of an image. */
const sizes = '(min-width: 48em) 240px, 50vw';

/** Card of a species; links to its page. */
export function SpeciesCard(props: SpeciesCardProps) {
  const { id, name, scientificName, imageUrl, thumbhash, visits, presence } = props;
  const { isHeardOnly = false, isUrgent = false, isNew = false } = props;
  const { t } = useTranslation('species');
  return (
    <article className={classes['card']} data-unseen={visits === 0 || undefined}>
      <SpeciesPicture url={imageUrl} alt="" isUrgent={isUrgent} thumbhash={thumbhash} sizes={sizes} />
      {isNew && (
        <Badge
          className={classes['badge'] ?? ''}
          tt="none"
          leftSection={<IconSparkles size={12} aria-hidden />}
        >
          {t('new_here')}
        </Badge>
      )}
      <div className={classes['text']}>
        <Link className={classes['name']} to="/species/$id" params={{ id: String(id) }}>
          {name}
        </Link>
        <Text size="xs" fs="italic" c="dimmed" truncate mih="1.5em">
          {scientificName}
        </Text>
        {visits !== undefined && (
          <Text size="sm" {...(visits === 0 && { c: 'dimmed' })} className={classes['count']}>
            {visits === 0 ? t('never') : t('visit_count', { count: visits })}
            {isHeardOnly && ` · ${t('heard_only')}`}
          </Text>
        )}
        {presence && <Presence {...presence} />}
      </div>
    </article>
  );
}

/** Last visit and visits by month of a species. */
function Presence({
  last_visit_at,
  monthly_visits,
}: Pick<ObservedSpecies, 'last_visit_at' | 'monthly_visits'>) {
  const { ago } = useTimeFormat();
  const now = useNow();
  return (
    <div className={classes['presence']}>
      <Text size="sm" c="dimmed" component="span" className={classes['last'] ?? ''}>
        {ago(last_visit_at, now)}
      </Text>
      <Sparkline counts={monthly_visits} peak={Math.max(1, ...monthly_visits)} />
    </div>
  );
}
