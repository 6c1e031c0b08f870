import { Button, Center, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../components/states';
import type { TimelineItem } from '../../components/visits/describe-visit';
import { VisitCard } from '../../components/visits/visit-card';
import type { Day } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { visitsQuery } from './species-queries';
import classes from './visits-section.module.css';

interface VisitsSectionProps {
  readonly speciesId: number;
  /** The latest visits. */
  readonly recent: readonly TimelineItem[];
}

interface DayOfVisits {
  readonly day: Day;
  readonly visits: TimelineItem[];
}

/** Groups visits, newest first, by the day of their start. */
export function groupByDay(
  visits: readonly TimelineItem[],
  dayOf: (instant: string) => Day,
): readonly DayOfVisits[] {
  const days: DayOfVisits[] = [];
  for (const visit of visits) {
    const day = dayOf(visit.start_time);
    const last = days.at(-1);
    if (last?.day === day) last.visits.push(visit);
    else days.push({ day, visits: [visit] });
  }
  return days;
}

/** Latest visits of a species, then pages of all visits. */
export function VisitsSection({ speciesId, recent }: VisitsSectionProps) {
  const { t } = useTranslation('species');
  const [isAll, setIsAll] = useState(false);
  const client = useQueryClient();
  const all = useInfiniteQuery({ ...visitsQuery(speciesId), enabled: isAll });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the latest visits change.
  useEffect(() => {
    void client.invalidateQueries({ queryKey: visitsQuery(speciesId).queryKey });
  }, [client, speciesId, recent]);
  const { dayOf, dayTitle } = useTimeFormat();
  const visits = all.data?.pages.flatMap((page) => page.visits) ?? recent;
  const hasMore = isAll ? all.hasNextPage || all.isPending : recent.length > 0;
  const days = groupByDay(visits, dayOf);
  return (
    <section aria-labelledby="visits">
      <Title order={2} size="h4" id="visits" mt="lg" mb="sm">
        {t('visits')}
      </Title>
      {visits.length === 0 && <Text c="dimmed">{t('no_visits')}</Text>}
      {days.map(({ day, visits: ofDay }) => (
        <section key={day} aria-label={dayTitle(day)}>
          <Title order={3} size="h6" mt="md" mb="xs">
            {dayTitle(day)}
          </Title>
          <div className={classes['visits']}>
            {ofDay.map((visit) => (
              <VisitCard key={visit.id} visit={visit} isNamed={visit.species.id !== speciesId} />
            ))}
          </div>
        </section>
      ))}
      {all.error && (
        <Failure
          isRow
          error={all.error}
          onRetry={() => void (all.isFetchNextPageError ? all.fetchNextPage() : all.refetch())}
        />
      )}
      {hasMore && !all.error && (
        <Center mt="md">
          <Button
            variant="default"
            loading={isAll && (all.isPending || all.isFetchingNextPage)}
            onClick={() => (isAll ? void all.fetchNextPage() : setIsAll(true))}
          >
            {t(isAll ? 'more_visits' : 'all_visits')}
          </Button>
        </Center>
      )}
    </section>
  );
}
