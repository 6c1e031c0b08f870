import { Skeleton, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DaySummary } from '../../components/visits/summarize-day';
import { useNow } from '../../lib/clock';
import { addDays } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import classes from './figures.module.css';
import { overviewQuery, weekBeforeQuery } from './today-queries';

interface FiguresProps {
  readonly day: string;
  readonly summary: DaySummary;
}

interface Figure {
  readonly label: string;
  readonly value: string;
  /** Change from the week before; undefined if unknown. */
  readonly change: number | undefined;
  readonly write: (amount: number) => string;
}

/** Four figures of the day with the change from the same weekday a week ago up to this time. */
export function Figures({ day, summary }: FiguresProps) {
  const { t } = useTranslation('today');
  const { zone, number, roughDuration, weekday } = useTimeFormat();
  const now = useNow();
  const { data: overview } = useQuery(overviewQuery());
  const { data: before } = useQuery(weekBeforeQuery(day, zone, now));
  const dayBefore = addDays(day, -7);
  const hasWeekBefore = before !== undefined && (before.first_visit_date ?? day) <= dayBefore;
  const past = hasWeekBefore ? before.stats : undefined;
  const stats = overview?.stats;
  const watched = (of: typeof stats) => (of ? of.videoDuration + of.audioDuration : undefined);
  const minus = (one: number | undefined, other: number | undefined) =>
    one === undefined || other === undefined ? undefined : one - other;
  const figures: readonly Figure[] = [
    {
      label: t('figure_visits'),
      value: number(summary.visits),
      change: minus(summary.visits, past?.totalDetections),
      write: (amount) => number(amount),
    },
    {
      label: t('figure_species'),
      value: number(summary.species.length),
      change: minus(summary.species.length, past?.uniqueSpecies),
      write: (amount) => number(amount),
    },
    {
      label: t('figure_time'),
      value: stats ? roughDuration(watched(stats) ?? 0) : '–',
      change: minus(watched(stats), watched(past)),
      write: roughDuration,
    },
    {
      label: t('figure_average'),
      value: stats ? roughDuration(stats.avgVisitDuration) : '–',
      // Without visits there is no average.
      change: minus(stats?.avgVisitDuration, past?.avgVisitDuration || undefined),
      write: roughDuration,
    },
  ];
  const weekBefore = weekday(dayBefore);
  return (
    <section className={classes['figures']} aria-label={t('figures')}>
      <dl className={classes['grid']}>
        {figures.map((figure) => (
          <div key={figure.label} className={classes['figure']}>
            <dt className={classes['label']}>{figure.label}</dt>
            <dd className={classes['value']}>
              {figure.value}
              <Change figure={figure} weekday={weekBefore} />
            </dd>
          </div>
        ))}
      </dl>
      <Text size="xs" c="dimmed" className={classes['note']}>
        {past ? t('compared', { weekday: weekBefore }) : ' '}
      </Text>
    </section>
  );
}

function Change({
  figure: { change, write },
  weekday,
}: {
  readonly figure: Figure;
  readonly weekday: string;
}) {
  const { t } = useTranslation('today');
  const amount = write(Math.abs(change ?? 0));
  if (change === undefined || amount === write(0)) return null;
  const isMore = change > 0;
  const Arrow = isMore ? IconArrowUpRight : IconArrowDownRight;
  return (
    <span className={classes['change']} data-more={isMore || undefined}>
      <Arrow size={16} aria-hidden />
      <span aria-hidden="true">{amount}</span>
      <VisuallyHidden>{t(isMore ? 'more_than' : 'fewer_than', { amount, weekday })}</VisuallyHidden>
    </span>
  );
}

/** Placeholder of the figures. */
export function FiguresLoading() {
  return (
    <div className={classes['figures']}>
      <div className={classes['grid']}>
        {Array.from({ length: 4 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are all the same.
          <div key={index} className={classes['figure']}>
            <Skeleton height="1.3rem" width="60%" />
            <Skeleton height="2rem" mt={4} width="80%" />
          </div>
        ))}
      </div>
      <Text size="xs" className={classes['note']}>
        &nbsp;
      </Text>
    </div>
  );
}
