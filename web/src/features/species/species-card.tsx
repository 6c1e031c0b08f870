import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { SpeciesPicture } from '../../components/pictures/species-picture';
import classes from './species-card.module.css';

interface SpeciesCardProps {
  readonly id: number;
  /** In the language of the page. */
  readonly name: string;
  readonly scientificName: string | null;
  readonly imageUrl: string | null;
  /** Number of visits; not shown when undefined. */
  readonly visits?: number;
  readonly isHeardOnly?: boolean;
  readonly isUrgent?: boolean;
}

/** Widths of a card in the grid. */
const sizes = '(min-width: 48em) 240px, 50vw';

/** Card of a species; links to its page. */
export function SpeciesCard(props: SpeciesCardProps) {
  const { id, name, scientificName, imageUrl, visits, isHeardOnly = false, isUrgent = false } = props;
  const { t } = useTranslation('species');
  return (
    <article className={classes['card']} data-unseen={visits === 0 || undefined}>
      <SpeciesPicture url={imageUrl} alt="" isUrgent={isUrgent} sizes={sizes} />
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
      </div>
    </article>
  );
}
