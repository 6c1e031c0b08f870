import { ActionIcon, Button, Group, NativeSelect, Popover, Progress, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCalendar, IconChecks } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type CSSProperties, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyComponent } from '../../components/lazy-part';
import { Page } from '../../components/page';
import { PartBoundary } from '../../components/part-boundary';
import { ShortcutHelp, useShortcuts } from '../../components/shortcuts';
import { Empty, Failure, Loading, PageLoading } from '../../components/states';
import { useToday } from '../../lib/clock';
import { addDays, type Day, isDay } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { useHubFacts } from '../../lib/hub-facts';
import { useSightings } from '../../lib/species-list';
import classes from './review.module.css';
import { ReviewDesk } from './review-desk';
import { type QueueAction, type ReviewQueue, undoable } from './review-queue';
import { daysUntil, maxDays, rangeWindow } from './review-window';
import { reviewedOn, useQueue } from './use-queue';

const RangePicker = lazyComponent(() => import('../timeline/range-picker').then((file) => file.RangePicker));

const route = getRouteApi('/timeline');

interface ReviewSessionProps {
  /** Undefined for the days up to the last. */
  readonly range: DayRange | undefined;
  readonly last: Day;
  readonly zone: string;
}

/** One review of a period, detection by detection. The period stays the same when the day changes. */
function ReviewSession({ range, last, zone }: ReviewSessionProps) {
  const [{ window, dayBefore }] = useState(() => periodOf(range, last, zone));
  const { queue, act, remove, batches } = useQueue(window);
  const sightings = useSightings();
  const [item] = queue.waiting;
  if (batches.data === undefined && !batches.error) return <Loading rows={2} height={280} />;
  const isLoading = (batches.isFetching && !batches.isRefetching) || (batches.hasNextPage && !batches.error);
  const isEmpty = !item && queue.steps.length === 0 && !isLoading && !batches.error;
  if (isEmpty && sightings === null) return <NothingToReview />;
  const earlier = sightings && sightings.first > dayBefore ? undefined : dayBefore;
  return (
    <Stack gap="sm">
      <ReviewProgress queue={queue} hasMore={batches.hasNextPage} />
      {batches.error && <Failure error={batches.error} onRetry={() => void batches.refetch()} />}
      {item && <ReviewDesk item={item} queue={queue} act={act} remove={remove} />}
      {!item && isLoading && <Loading rows={2} height={280} />}
      {!item && !isLoading && !batches.error && <ReviewDone queue={queue} act={act} dayBefore={earlier} />}
    </Stack>
  );
}

/** Returns the window of a period, and the day before it. */
function periodOf(range: DayRange | undefined, last: Day, zone: string) {
  if (range === undefined) return { window: daysUntil(last, zone), dayBefore: addDays(last, -maxDays) };
  return { window: rangeWindow(range.from, range.to, zone), dayBefore: addDays(range.from, -1) };
}

/** Reviews uncertain detections one by one. */
export function ReviewPage() {
  const { t } = useTranslation('review');
  const { date, from, to, until: last } = route.useSearch();
  const navigate = route.useNavigate();
  const today = useToday();
  const { zone } = useHubFacts();
  const first = date ?? from;
  const range = first === undefined ? undefined : { from: first, to: date ?? to ?? today };
  // A range without a first day.
  const until = last ?? (range === undefined ? to : undefined);
  const choose = (period: Period) => void navigate({ search: { review: 1, ...period } });
  const shortcuts = [
    { keys: ['Enter', 'a'], action: t('key_accept') },
    { keys: ['1', '–', '3'], action: t('key_likely') },
    { keys: ['c', '/'], action: t('key_change') },
    { keys: ['n'], action: t('no_bird') },
    { keys: ['s'], action: t('key_skip') },
    { keys: ['u'], action: t('key_undo') },
    { keys: ['v'], action: t('key_visit') },
    { keys: ['p'], action: t('key_play') },
  ];
  return (
    <Page
      isWide
      title={t('title')}
      actions={
        <Group gap="xs" wrap="nowrap">
          <PeriodChoice range={range} until={until} today={today} onChoose={choose} />
          <ShortcutHelp shortcuts={shortcuts} />
        </Group>
      }
    >
      <ReviewSession
        key={JSON.stringify([zone, date, from, to, until])}
        range={range}
        last={until ?? today}
        zone={zone}
      />
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
  const { number } = useTimeFormat();
  const done = queue.steps.reduce((sum, step) => sum + step.items.length, 0);
  const all = done + queue.waiting.length;
  if (all === 0 && queue.calls.length === 0) return null;
  const progress = t('progress', { done: number(done), total: `${number(all)}${hasMore ? '+' : ''}` });
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm">{progress}</Text>
        <Text size="sm" c="dimmed">
          {queue.calls.length > 0 ? t('saving', { count: queue.calls.length }) : t('today', { count: today })}
        </Text>
      </Group>
      <Progress value={all === 0 ? 0 : (done / all) * 100} size="sm" aria-label={progress} />
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
  const { t } = useTranslation(['review', 'app']);
  return (
    <Empty
      title={t('none_yet')}
      action={
        <Button renderRoot={(props) => <Link {...props} to="/" />}>{t('to_today', { ns: 'app' })}</Button>
      }
    >
      {t('none_yet_hint')}
    </Empty>
  );
}

/** End of the review: a summary and a link to earlier days. */
function ReviewDone({ queue, act, dayBefore }: ReviewDoneProps) {
  const { t } = useTranslation('review');
  const { longDay } = useTimeFormat();
  useShortcuts({ u: (event) => !event.repeat && act({ type: 'undo' }) });
  const skipped = queue.steps.filter(({ verdict }) => verdict.kind === 'skip').length;
  const done = queue.steps.reduce((sum, step) => sum + step.items.length, 0) - skipped;
  return (
    <div className={done > 0 ? classes['done'] : undefined}>
      {done > 0 && <Feathers />}
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
            {undoable(queue) && (
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

const featherCount = 12;
const featherColors = ['moss-5', 'yellow-5', 'orange-5', 'cyan-5'];

/** Animation of rising feathers at the end of a review. */
function Feathers() {
  return (
    <div className={classes['feathers']} aria-hidden>
      {Array.from({ length: featherCount }, (_, turn) => {
        const color = `var(--mantine-color-${featherColors[turn % featherColors.length]})`;
        const style = { '--turn': turn, '--feather': color } as CSSProperties;
        // biome-ignore lint/suspicious/noArrayIndexKey: their order never changes.
        return <span key={turn} className={classes['feather']} style={style} />;
      })}
    </div>
  );
}

/** The first and the last day of a review. */
interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

/** Days of a review: a range, or many up to `until`. */
type Period = Partial<DayRange> & { readonly date?: Day; readonly until?: Day };

interface PeriodChoiceProps {
  readonly range: DayRange | undefined;
  readonly until: Day | undefined;
  readonly today: Day;
  readonly onChoose: (period: Period) => void;
}

/** Chooses the days of the review. */
function PeriodChoice({ range, until, today, onChoose }: PeriodChoiceProps) {
  const { t } = useTranslation('review');
  const { shortDay, dayRange } = useTimeFormat();
  const [isOpen, { open, close, toggle }] = useDisclosure(false);
  const choose = (chosen: string) => {
    if (chosen === 'range') open();
    else onChoose(isDay(chosen) ? { until: chosen } : {});
  };
  const chooseDays = (from: Day, to: Day) => {
    close();
    onChoose(from === to ? { date: from } : { from, to });
  };
  return (
    <Popover
      opened={isOpen}
      onChange={(isNow) => !isNow && close()}
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
      // The button has the ARIA attributes; the target is the entire group.
      withRoles={false}
    >
      <Popover.Target>
        <Group gap="xs" wrap="nowrap">
          <NativeSelect
            aria-label={t('period')}
            value={range ? 'range' : (until ?? 'recent')}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
            data={[
              { value: 'recent', label: t('recent', { count: maxDays }) },
              ...(until === undefined
                ? []
                : [{ value: until, label: t('until', { count: maxDays, day: shortDay(until) }) }]),
              { value: 'range', label: range ? dayRange(range.from, range.to) : t('range') },
            ]}
          />
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t('range')}
            title={t('range')}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onClick={toggle}
          >
            <IconCalendar size={18} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Group>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={t('range')}>
        {isOpen && (
          <PartBoundary fallback={<PageLoading />} onMissing={close}>
            <RangePicker from={range?.from} to={range?.to} today={today} onChoose={chooseDays} />
          </PartBoundary>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
