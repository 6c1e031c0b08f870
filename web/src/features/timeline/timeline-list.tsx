import { Center, Loader, Text } from '@mantine/core';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../components/states';
import type { Day } from '../../lib/days';
import {
  type Chunk,
  type DayCount,
  type KnownDay,
  type LoadedDay,
  rememberDays,
  splitIntoChunks,
} from './chunks';
import { DayStrip } from './day-strip';
import { Scrubber } from './scrubber';
import { layOut, type PlacedRow, rowsBetween } from './timeline-layout';
import classes from './timeline-list.module.css';
import { TimelineRow } from './timeline-row';
import type { TimelineFilters } from './timeline-search';
import { useCardKeys } from './use-card-keys';
import {
  headerPixels,
  useDayAnchor,
  useListMetrics,
  useListPosition,
  useScrollRestoration,
  useWantedChunks,
} from './use-list-view';
import { type LoadedDays, useLoadedDays } from './use-loaded-days';
import { useVisitFromHash } from './use-visit-from-hash';

interface TimelineListProps {
  /** Number of visits per day, newest first. */
  readonly counts: readonly DayCount[];
  readonly range: Chunk;
  /** Set if the range is one day: its hours are shown above the list. */
  readonly day: Day | undefined;
  readonly filters: TimelineFilters;
  /** Scroll position to restore, in px. */
  readonly offset: number;
  /** Shown if the range is empty. */
  readonly empty: React.ReactNode;
}

/** Rows are rendered this far beyond the window. */
const overscanPixels = 700;
/** The scrubber is shown for more days than this. */
const maxDaysWithoutScrubber = 6;

/** Virtualized list of visits by day: only the part near the window is loaded and rendered. */
export function TimelineList({ counts, range, day, filters, offset, empty }: TimelineListProps) {
  const { t } = useTranslation('timeline');
  const list = useRef<HTMLDivElement>(null);
  const { metrics, top, isNarrow, rowGap } = useListMetrics(list);
  const [open, setOpen] = useState<ReadonlySet<Day>>(new Set());
  const chunks = useMemo(() => splitIntoChunks([...counts].reverse(), range), [counts, range]);
  const { y, isFast } = useListPosition(top);
  const [known, setKnown] = useState<ReadonlyMap<Day, KnownDay>>(new Map());
  const contents = useMemo(
    () => mergeDays(counts, known, open, range.from),
    [counts, known, open, range.from],
  );
  const layout = useMemo(() => layOut(contents, metrics), [contents, metrics]);
  const section = { from: y - overscanPixels, to: y + window.innerHeight + overscanPixels };
  const wanted = useWantedChunks(chunks, layout, section, isFast);
  const loaded = useLoadedDays(wanted, chunks[0]?.from, filters);
  useKnownDays(loaded, counts, setKnown);
  useDayAnchor(layout, top);
  useScrollRestoration(offset, top + layout.height);
  useVisitFromHash(loaded.days, layout, top, offset > 0);
  useCardKeys(layout, top, y);

  const rows = rowsBetween(layout, section.from, section.to);
  useMissingPages(rows, loaded, day);
  const toggle = useCallback(
    (of: Day) =>
      setOpen((before) => {
        const next = new Set(before);
        if (!next.delete(of)) next.add(of);
        return next;
      }),
    [],
  );
  const goTo = (offset: number) => window.scrollTo({ top: Math.max(0, top + offset - headerPixels) });

  if (loaded.error !== null && loaded.days.size === 0)
    return <Failure error={loaded.error} onRetry={loaded.refetch} />;
  const hasScrubber = layout.days.length > maxDaysWithoutScrubber;
  const isEmpty = !loaded.isLoading && contents.length === 0;
  return (
    <>
      {day !== undefined && !isEmpty && (
        <DayStrip day={day} loaded={loaded} layout={layout} y={y} onGo={goTo} />
      )}
      {isEmpty && empty}
      <div
        ref={list}
        className={classes['list']}
        data-edge={hasScrubber || undefined}
        style={{ height: layout.height }}
      >
        {rows.map((row) => (
          <TimelineRow
            key={row.key}
            row={row}
            columns={metrics.columns}
            height={metrics.cardRowHeight - rowGap}
            content={loaded.days.get(row.day)}
            favorites={loaded.favorites}
            isOnly={day !== undefined}
            onToggle={toggle}
          />
        ))}
      </div>
      {loaded.error !== null && (
        <div className={classes['failure']}>
          <Failure error={loaded.error} onRetry={loaded.refetch} isRow />
        </div>
      )}
      {hasScrubber && <Scrubber layout={layout} listTop={top} isNarrow={isNarrow} />}
      {loaded.isLoading && contents.length === 0 && (
        <Center h={200}>
          <Loader size="sm" role="status" aria-label={t('loading')} />
        </Center>
      )}
      {day !== undefined && !isEmpty && loaded.isComplete(day) && (
        <Text role="status" size="sm" c="dimmed" ta="center" py="md">
          {t('shown', { count: loaded.days.get(day)?.visits.length ?? 0 })}
        </Text>
      )}
    </>
  );
}

/** Combines the counts of the hub with known days, so that heights stay the same when loaded days are dropped. */
function mergeDays(
  counts: readonly DayCount[],
  known: ReadonlyMap<Day, KnownDay>,
  open: ReadonlySet<Day>,
  from: Day,
) {
  const contentOf = (day: Day, counted: number) => {
    const found = known.get(day);
    const isKnown = found !== undefined && found.counted === counted;
    return {
      day,
      visits: isKnown ? found.visits : counted,
      empties: isKnown ? found.empties : 0,
      isOpen: open.has(day),
    };
  };
  const days = counts.map(({ day, visits }) => contentOf(day, visits));
  const counted = new Set(counts.map(({ day }) => day));
  const others = [...known.keys()]
    .filter((day) => !counted.has(day) && day >= from)
    .map((day) => contentOf(day, 0));
  const all =
    others.length === 0 ? days : [...days, ...others].sort((one, other) => (one.day < other.day ? 1 : -1));
  return all.filter(({ visits, empties }) => visits + empties > 0);
}

/** Remembers the numbers of items of loaded days. */
function useKnownDays(
  loaded: LoadedDays,
  counts: readonly DayCount[],
  setKnown: (update: (before: ReadonlyMap<Day, KnownDay>) => ReadonlyMap<Day, KnownDay>) => void,
): void {
  const remember = useEffectEvent((days: ReadonlyMap<Day, LoadedDay>) =>
    setKnown((before) => rememberDays(before, counts, days, loaded.isComplete)),
  );
  useEffect(() => remember(loaded.days), [loaded.days]);
}

/** Loads further pages of days in view; all pages if a single day is shown. */
function useMissingPages(rows: readonly PlacedRow[], loaded: LoadedDays, day: Day | undefined): void {
  const missing =
    day ??
    rows.find(
      (row) =>
        row.kind === 'cards' && (loaded.days.get(row.day)?.visits.length ?? Number.NaN) < row.at + row.count,
    )?.day;
  const load = useEffectEvent(() => {
    if (missing !== undefined) loaded.loadMore(missing);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again after each load, as one page may not be enough.
  useEffect(() => load(), [missing, loaded.days]);
}
