import { Anchor, Badge, Button, Text, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Card } from './card';
import { FeedRow } from './feed-row';
import classes from './live-feed.module.css';
import type { Visit } from './summarize-day';
import { useArrivals } from './use-arrivals';
import { useHeldVisits } from './use-held-visits';
import { useMovement } from './use-movement';

interface LiveFeedProps {
  readonly day: string;
  /** Newest first. */
  readonly visits: readonly Visit[];
}

const mostRows = 8;

/** The newest visits; one that comes while the list is being read waits above it. */
export function LiveFeed({ day, visits }: LiveFeedProps) {
  const { t } = useTranslation('today');
  const { shown, waiting, release, topRef, holding } = useHeldVisits(visits);
  const announcement = useArrivals(visits);
  const isMoving = useMovement();
  return (
    <Card title={t('newest')} aside={isMoving && <Badge variant="light">{t('movement')}</Badge>}>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      <div ref={topRef} className={classes['top']} />
      <div {...holding}>
        {waiting > 0 && (
          <Button variant="light" size="xs" fullWidth className={classes['waiting']} onClick={release}>
            {t('show_new', { count: waiting })}
          </Button>
        )}
        {shown.length === 0 && <Text c="dimmed">{t('newest_none')}</Text>}
        <ol className={classes['rows']}>
          {shown.slice(0, mostRows).map((visit) => (
            <FeedRow key={visit.id} visit={visit} />
          ))}
        </ol>
      </div>
      {shown.length > mostRows && (
        <Anchor mt="sm" renderRoot={(props) => <Link to="/timeline" search={{ date: day }} {...props} />}>
          {t('all_visits', { count: visits.length })}
        </Anchor>
      )}
    </Card>
  );
}
