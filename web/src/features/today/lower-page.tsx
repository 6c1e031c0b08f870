import { Stack } from '@mantine/core';
import { AsideCards } from './aside-cards';
import { DayGrid } from './day-grid';
import { LiveFeed } from './live-feed';
import classes from './lower-page.module.css';
import { DayBefore, PastDays } from './past-days';
import type { DaySummary, Visit } from './summarize-day';

interface LowerPageProps {
  readonly day: string;
  /** Newest first. */
  readonly visits: readonly Visit[];
  readonly summary: DaySummary;
  /** Whether weather and sun stand beside the hero. */
  readonly isSkyAbove: boolean;
}

/** What stands below the birds of the day; loaded after them. */
export function LowerPage({ day, visits, summary, isSkyAbove }: LowerPageProps) {
  return (
    <div className={classes['columns']}>
      <Stack gap="lg" miw={0}>
        {summary.species.length > 0 && <DayGrid day={day} summary={summary} />}
        {visits.length === 0 && <DayBefore day={day} />}
        <LiveFeed day={day} visits={visits} />
        <PastDays day={day} />
      </Stack>
      <AsideCards day={day} isSkyAbove={isSkyAbove} />
    </div>
  );
}
