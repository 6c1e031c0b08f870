import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Highlight, HighlightReel } from '../../components/highlights/highlight-reel';
import { lazyComponent } from '../../components/lazy-part';
import { PartBoundary } from '../../components/part-boundary';
import type { DaySummary, Visit } from '../../components/visits/summarize-day';
import { WhenNear } from '../../components/when-near';
import { SectionTitle } from './card';
import { LiveFeed } from './live-feed';
import classes from './lower-page.module.css';
import { DayBefore, PastDays } from './past-days';

const DayGrid = lazyComponent(() => import('./day-grid').then((file) => file.DayGrid));
const SkyCard = lazyComponent(() => import('./sky-card').then((file) => file.SkyCard));
const AsideCards = lazyComponent(() => import('./aside-cards').then((file) => file.AsideCards));

interface LowerPageProps {
  readonly day: string;
  /** Newest first. */
  readonly visits: readonly Visit[];
  readonly summary: DaySummary;
  /** The best moments of the day except the hero. */
  readonly highlights: readonly Highlight[];
  /** Whether the sky card is next to the hero. */
  readonly isSkyAbove: boolean;
}

const minReel = 3;

/** The part below the species of the day, loaded later. */
export function LowerPage({ day, visits, summary, highlights, isSkyAbove }: LowerPageProps) {
  const { t } = useTranslation('today');
  return (
    <>
      {highlights.length >= minReel && (
        <section aria-label={t('best_of_day')}>
          <SectionTitle>{t('best_of_day')}</SectionTitle>
          <HighlightReel highlights={highlights} label={t('best_of_day')} />
        </section>
      )}
      <div className={classes['columns']}>
        <Stack gap="lg" miw={0}>
          {summary.species.length > 0 && (
            <PartBoundary fallback={<div className={classes['gridAwaited']} />}>
              <DayGrid day={day} summary={summary} />
            </PartBoundary>
          )}
          {visits.length === 0 && <DayBefore day={day} />}
          <LiveFeed day={day} visits={visits} />
          <PastDays day={day} />
        </Stack>
        <Stack gap="md">
          {!isSkyAbove && (
            <WhenNear height="9.75rem">
              <SkyCard day={day} />
            </WhenNear>
          )}
          <WhenNear height="20rem">
            <AsideCards day={day} />
          </WhenNear>
        </Stack>
      </div>
    </>
  );
}
