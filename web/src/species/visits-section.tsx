import { Button, Center, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '../states/problem-text';
import type { TimelineItem } from '../visits/describe-visit';
import { VisitCard } from '../visits/visit-card';
import { visitsQuery } from './species-queries';
import classes from './visits-section.module.css';

interface VisitsSectionProps {
  readonly speciesId: number;
  /** The newest of them. */
  readonly recent: readonly TimelineItem[];
}

/** The visits of a species, the newest first; at first a few, then all of them page by page. */
export function VisitsSection({ speciesId, recent }: VisitsSectionProps) {
  const { t } = useTranslation('species');
  const [isAll, setIsAll] = useState(false);
  const all = useInfiniteQuery({ ...visitsQuery(speciesId), enabled: isAll });
  const visits = all.data?.pages.flatMap((page) => page.visits) ?? recent;
  const hasMore = isAll ? all.hasNextPage || all.isPending : recent.length > 0;
  return (
    <section aria-labelledby="visits">
      <Title order={2} size="h4" id="visits" mt="lg" mb="sm">
        {t('visits')}
      </Title>
      {visits.length === 0 && <Text c="dimmed">{t('no_visits')}</Text>}
      <div className={classes['visits']}>
        {visits.map((visit) => (
          <VisitCard key={visit.id} visit={visit} isDayShown />
        ))}
      </div>
      {all.error && (
        <Text c="var(--mantine-color-error)" role="alert" mt="sm">
          {problemText(t, all.error)}
        </Text>
      )}
      {hasMore && (
        <Center mt="md">
          <Button
            variant="default"
            loading={isAll && all.isFetching}
            onClick={() => (isAll ? void all.fetchNextPage() : setIsAll(true))}
          >
            {t(isAll ? 'more_visits' : 'all_visits')}
          </Button>
        </Center>
      )}
    </section>
  );
}
