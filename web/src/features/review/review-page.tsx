import { Button, Group, NativeSelect, Progress, Stack, Text, TextInput } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page';
import { ShortcutHelp } from '../../components/shortcuts';
import { Empty, Failure, Loading } from '../../components/states';
import { useToday } from '../../lib/clock';
import { addDays, type Day, dayFromUrl, isDay } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { useHubFacts } from '../../lib/hub-facts';
import { useSightings } from '../../lib/species-list';
import classes from './review.module.css';
import { ReviewDesk } from './review-desk';
import type { QueueAction, ReviewQueue } from './review-queue';
import { daysUntil, dayWindow, maxDays, type ReviewWindow } from './review-window';
import { reviewedOn, useQueue } from './use-queue';

const route = getRouteApi('/timeline');

interface ReviewSessionProps {
  readonly window: ReviewWindow;
  readonly dayBefore: Day;
}

/** One review of a window, detection by detection. */
function ReviewSession({ window, dayBefore }: ReviewSessionProps) {
  const { queue, act, batches } = useQueue(window);
  const sightings = useSightings();
  const [item] = queue.waiting;
  if (batches.data === undefined && !batches.error) return <Loading rows={2} height={280} />;
  const isEmpty = !item && queue.steps.length === 0 && !batches.isFetching && !batches.error;
  if (isEmpty && sightings === null) return <NothingToReview />;
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

/** Reviews uncertain detections one by one. */
export function ReviewPage() {
  const { t } = useTranslation('review');
  const { date, until } = route.useSearch();
  const navigate = route.useNavigate();
  const today = useToday();
  const { zone } = useHubFacts();
  const last = until ?? today;
  const window = date === undefined ? daysUntil(last, zone) : dayWindow(date, zone);
  const dayBefore = addDays(date ?? last, date === undefined ? -maxDays : -1);
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
      isWide
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
      <ReviewSession key={window.end_time + window.start_time} window={window} dayBefore={dayBefore} />
    </Page>
  );
}

interface ReviewProgressProps {
  readonly queue: ReviewQueue;
  /** Whether more can be loaded. */
  readonly hasMore: boolean;
}

/** Progress of the review. */
function ReviewProgress({ queue, hasMore }: ReviewProgressProps) {
  const { t } = useTranslation('review');
  const today = reviewedOn(useToday());
  const done = queue.steps.reduce((sum, step) => sum + step.items.length, 0);
  const all = done + queue.waiting.length;
  if (all === 0 && queue.calls.length === 0) return null;
  const total = `${all}${hasMore ? '+' : ''}`;
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm">{t('progress', { done, total })}</Text>
        <Text size="sm" c="dimmed">
          {queue.calls.length > 0 ? t('saving', { count: queue.calls.length }) : t('today', { count: today })}
        </Text>
      </Group>
      <Progress
        value={all === 0 ? 0 : (done / all) * 100}
        size="sm"
        aria-label={t('progress', { done, total })}
      />
    </div>
  );
}

interface ReviewDoneProps {
  readonly queue: ReviewQueue;
  readonly act: (action: QueueAction) => void;
  /** The day before the reviewed days; undefined without earlier sightings. */
  readonly dayBefore: Day | undefined;
}

/** Shown while the hub has no sightings. */
function NothingToReview() {
  const { t } = useTranslation('review');
  return <Empty title={t('none_yet')}>{t('none_yet_hint')}</Empty>;
}

/** End of the review: what was done, link to earlier days. */
function ReviewDone({ queue, act, dayBefore }: ReviewDoneProps) {
  const { t } = useTranslation('review');
  const { longDay } = useTimeFormat();
  const skipped = queue.steps.filter(({ verdict }) => verdict.kind === 'skip').length;
  const done = queue.steps.reduce((sum, step) => sum + step.items.length, 0) - skipped;
  return (
    <div className={done > 0 ? classes['done'] : undefined}>
      <Empty
        icon={IconChecks}
        title={done === 0 ? t('nothing') : t('finished', { count: done })}
        action={
          <>
            {skipped > 0 && (
              <Button onClick={() => act({ type: 'take_skipped' })}>
                {t('skipped', { count: skipped })}
              </Button>
            )}
            {dayBefore && (
              <Button
                variant={skipped > 0 ? 'default' : 'filled'}
                renderRoot={(props) => (
                  <Link {...props} to="/timeline" search={{ review: 1, until: dayBefore }} />
                )}
              >
                {t('earlier')}
              </Button>
            )}
            {queue.steps.length > 0 && (
              <Button variant="subtle" onClick={() => act({ type: 'undo' })}>
                {t('undo')}
              </Button>
            )}
          </>
        }
      >
        {dayBefore ? t('nothing_hint', { day: longDay(dayBefore) }) : t('all_done')}
      </Empty>
    </div>
  );
}

/** Days of a review: one day, or many up to `until`. */
interface Period {
  readonly date?: Day;
  readonly until?: Day;
}

interface PeriodChoiceProps {
  readonly period: Period;
  readonly today: Day;
  readonly onChoose: (period: Period) => void;
}

/** Chooses the days of the review. */
function PeriodChoice({ period: { date, until }, today, onChoose }: PeriodChoiceProps) {
  const { t } = useTranslation('review');
  const { shortDay } = useTimeFormat();
  const kind = date === undefined ? (until ?? 'recent') : 'day';
  const choose = (chosen: string) => {
    if (chosen === 'day') onChoose({ date: until ?? today });
    else onChoose(isDay(chosen) ? { until: chosen } : {});
  };
  return (
    <Group gap="xs" wrap="nowrap">
      <NativeSelect
        aria-label={t('period')}
        value={kind}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={[
          { value: 'recent', label: t('recent', { count: maxDays }) },
          ...(until === undefined
            ? []
            : [{ value: until, label: t('until', { count: maxDays, day: shortDay(until) }) }]),
          { value: 'day', label: t('one_day') },
        ]}
      />
      {date !== undefined && (
        <TextInput
          type="date"
          aria-label={t('one_day')}
          max={today}
          key={date}
          defaultValue={date}
          onChange={({ currentTarget: { value } }) => dayFromUrl(value) && onChoose({ date: value })}
        />
      )}
    </Group>
  );
}
