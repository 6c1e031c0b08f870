import { Group, Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page';
import { ShortcutHelp } from '../../components/shortcuts';
import { Failure, Loading } from '../../components/states';
import { useToday } from '../../lib/clock';
import { addDays, type Day } from '../../lib/days';
import { useHubFacts } from '../../lib/hub-facts';
import { useSightings } from '../../lib/species-list';
import { type Period, PeriodChoice } from './period-choice';
import { ReviewDesk } from './review-desk';
import { NothingToReview, ReviewDone } from './review-done';
import { ReviewProgress } from './review-progress';
import { daysUntil, dayWindow, mostDays, type ReviewWindow } from './review-window';
import { useQueue } from './use-queue';

const route = getRouteApi('/timeline');

interface SittingProps {
  readonly window: ReviewWindow;
  readonly dayBefore: Day;
}

/** One after the other, until none is left. */
function Sitting({ window, dayBefore }: SittingProps) {
  const { queue, act, batches } = useQueue(window);
  const sightings = useSightings();
  const [item] = queue.waiting;
  if (batches.data === undefined && !batches.error) return <Loading rows={2} height={280} />;
  const isUntouched = !item && queue.steps.length === 0 && !batches.isFetching && !batches.error;
  if (isUntouched && sightings === null) return <NothingToReview />;
  const earlier = sightings && sightings.first > dayBefore ? undefined : dayBefore;
  return (
    <Stack gap="sm">
      <ReviewProgress queue={queue} hasMore={batches.hasNextPage} />
      {batches.error && <Failure error={batches.error} onRetry={() => void batches.refetch()} />}
      {item && <ReviewDesk item={item} queue={queue} act={act} />}
      {!item && batches.isFetching && <Loading rows={2} height={280} />}
      {!item && !batches.isFetching && !batches.error && (
        <ReviewDone queue={queue} act={act} dayBefore={earlier} />
      )}
    </Stack>
  );
}

/** What the hub is not sure of, one detection after the other. */
export function Review() {
  const { t } = useTranslation('review');
  const { date, until } = route.useSearch();
  const navigate = route.useNavigate();
  const today = useToday();
  const { zone } = useHubFacts();
  const last = until ?? today;
  const window = date === undefined ? daysUntil(last, zone) : dayWindow(date, zone);
  const dayBefore = addDays(date ?? last, date === undefined ? -mostDays : -1);
  const choose = (period: Period) => void navigate({ search: { review: 1, ...period } });
  const shortcuts = [
    { keys: ['Enter', 'a'], does: t('key_accept') },
    { keys: ['1', '–', '3'], does: t('key_likely') },
    { keys: ['c', '/'], does: t('key_change') },
    { keys: ['s'], does: t('key_skip') },
    { keys: ['u'], does: t('key_undo') },
    { keys: ['v'], does: t('key_visit') },
    { keys: ['p'], does: t('key_play') },
  ];
  return (
    <Page
      title={t('title')}
      actions={
        <Group gap="xs" wrap="nowrap">
          <PeriodChoice
            period={{ ...(date && { date }), ...(until && { until }) }}
            today={today}
            onChoose={choose}
          />
          <ShortcutHelp shortcuts={shortcuts} />
        </Group>
      }
    >
      <Sitting key={window.end_time + window.start_time} window={window} dayBefore={dayBefore} />
    </Page>
  );
}
