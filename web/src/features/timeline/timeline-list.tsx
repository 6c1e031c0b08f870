import { Center, Loader, Text, Title, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconVideoOff } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { type CSSProperties, memo, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ShareButton } from '../../components/share/share-button';
import { useShortcuts } from '../../components/shortcuts';
import { Failure } from '../../components/states';
import type { TimelineItem } from '../../components/visits/describe-visit';
import { VisitCard } from '../../components/visits/visit-card';
import type { Day } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { isNamed } from '../today/summarize-day';
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
import {
  type CardPosition,
  firstCardFrom,
  layOut,
  type Move,
  moveCard,
  type PlacedRow,
  placeOfCard,
  rowsBetween,
  type TimelineLayout,
} from './timeline-layout';
import classes from './timeline-list.module.css';
import type { TimelineFilters } from './timeline-search';
import {
  useDayAnchor,
  useListMetrics,
  useListPosition,
  useOnUserMove,
  useScrollRestoration,
  useWantedChunks,
} from './use-list-view';
import { type LoadedDays, useLoadedDays } from './use-loaded-days';

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
/** Height of the fixed header of the page. */
const headerPixels = 52;

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
  const toggle = useStableCallback((of: Day) =>
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(of)) next.add(of);
      return next;
    }),
  );
  const goTo = (offset: number) => window.scrollTo({ top: Math.max(0, top + offset - headerPixels) });

  if (loaded.error !== null && loaded.days.size === 0)
    return <Failure error={loaded.error} onRetry={loaded.refetch} />;
  const isEmpty = !loaded.isLoading && contents.length === 0;
  return (
    <>
      {day !== undefined && !isEmpty && (
        <HoursOfDay day={day} loaded={loaded} layout={layout} y={y} onGo={goTo} />
      )}
      {isEmpty && empty}
      <div
        ref={list}
        className={classes['list']}
        data-edge={layout.days.length > minScrubberDays || undefined}
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
      {layout.days.length > minScrubberDays && <Scrubber layout={layout} listTop={top} isNarrow={isNarrow} />}
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

const minScrubberDays = 6;

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

function useStableCallback<Args extends readonly unknown[]>(call: (...args: Args) => void) {
  const latest = useRef(call);
  useEffect(() => {
    latest.current = call;
  });
  return useRef((...args: Args) => latest.current(...args)).current;
}

interface HoursOfDayProps {
  readonly day: Day;
  readonly loaded: LoadedDays;
  readonly layout: TimelineLayout;
  readonly y: number;
  readonly onGo: (offset: number) => void;
}

/** The hours of a single day; a click scrolls to the last visit that started in that hour or before. */
function HoursOfDay({ day, loaded, layout, y, onGo }: HoursOfDayProps) {
  const { hourOf, dayOf } = useTimeFormat();
  const visits = loaded.days.get(day)?.visits;
  const hours = useMemo(
    () =>
      (visits ?? []).map(({ start_time }) => (dayOf(start_time) < day ? -1 : Math.floor(hourOf(start_time)))),
    [visits, day, dayOf, hourOf],
  );
  const counts = useMemo(() => {
    const found = Array.from({ length: 24 }, () => 0);
    for (const hour of hours) if (hour >= 0) found[hour] = (found[hour] ?? 0) + 1;
    return found;
  }, [hours]);
  const first = firstCardFrom(layout, y + stripPixels);
  const hour = first && hours[first.at];
  const inView = hour === undefined ? undefined : { from: hour, to: hour };
  const go = (wanted: number) => {
    const at = hours.findIndex((one) => one <= wanted);
    const place = at === -1 ? undefined : placeOfCard(layout, { day, at });
    if (place) onGo(place.top - stripPixels);
  };
  return <DayStrip counts={counts} inView={inView} onGo={go} />;
}

const stripPixels = 84;

interface TimelineRowProps {
  readonly row: PlacedRow;
  readonly columns: number;
  readonly height: number;
  readonly content: LoadedDay | undefined;
  readonly favorites: ReadonlySet<number>;
  /** Whether the list has no other day. */
  readonly isOnly: boolean;
  readonly onToggle: (day: Day) => void;
}

/** A row of the list. */
const TimelineRow = memo(
  function TimelineRow({ row, columns, height, content, favorites, isOnly, onToggle }: TimelineRowProps) {
    const style = { transform: `translateY(${row.top}px)`, '--columns': columns } as CSSProperties;
    if (row.kind === 'heading') {
      return <DayHeading row={row} style={style} isOnly={isOnly} isShareable={hasNamedVisit(content)} />;
    }
    if (row.kind === 'fold') return <EmptyFold row={row} style={style} onToggle={onToggle} />;
    const items = row.kind === 'cards' ? content?.visits : content?.empties;
    return (
      <div className={`${classes['row']} ${classes['cards']}`} style={style}>
        {Array.from({ length: row.count }, (_, at) => {
          const item = items?.[row.at + at];
          const place = row.at + at;
          return (
            <div
              key={item?.id ?? `none ${place}`}
              style={{ height }}
              data-place={row.kind === 'cards' ? `${row.day} ${place}` : undefined}
            >
              {item === undefined ? (
                <div className={classes['ghost']} />
              ) : (
                <VisitCard visit={item} isFavorite={favorites.has(item.id)} />
              )}
            </div>
          );
        })}
      </div>
    );
  },
  (before, after) =>
    before.row.key === after.row.key &&
    before.row.top === after.row.top &&
    areSameRows(before.row, after.row) &&
    before.columns === after.columns &&
    before.height === after.height &&
    before.favorites === after.favorites &&
    before.isOnly === after.isOnly &&
    (before.row.kind !== 'heading' || hasNamedVisit(before.content) === hasNamedVisit(after.content)) &&
    itemsOf(before).every((item, index) => item === itemsOf(after)[index]) &&
    itemsOf(before).length === itemsOf(after).length,
);

const areSameRows = (one: PlacedRow, other: PlacedRow) => JSON.stringify(one) === JSON.stringify(other);

/** Whether a visit of a known bird is loaded; the hub shares only days with one. */
const hasNamedVisit = (content: LoadedDay | undefined) => content?.visits.some(isNamed) === true;

function itemsOf({ row, content }: TimelineRowProps): readonly TimelineItem[] {
  if (row.kind !== 'cards' && row.kind !== 'empties') return [];
  return (row.kind === 'cards' ? content?.visits : content?.empties)?.slice(row.at, row.at + row.count) ?? [];
}

interface DayHeadingProps {
  readonly row: Extract<PlacedRow, { kind: 'heading' }>;
  readonly style: CSSProperties;
  readonly isOnly: boolean;
  readonly isShareable: boolean;
}

function DayHeading({ row, style, isOnly, isShareable }: DayHeadingProps) {
  const { t } = useTranslation('timeline');
  const { dayTitle, today } = useTimeFormat();
  const isToday = row.day === today();
  return (
    <div className={`${classes['row']} ${classes['heading']}`} style={style}>
      <Title order={2} size="h5" className={isOnly ? classes['hidden'] : undefined}>
        {isToday ? t('today') : dayTitle(row.day)}
      </Title>
      <Text size="sm" c="dimmed">
        {t('visits', { count: row.visits })}
      </Text>
      {isShareable && <ShareButton what={{ day: row.day }} title={dayTitle(row.day)} size={28} isQuiet />}
    </div>
  );
}

interface EmptyFoldProps {
  readonly row: Extract<PlacedRow, { kind: 'fold' }>;
  readonly style: CSSProperties;
  readonly onToggle: (day: Day) => void;
}

/** Collapsed recordings of a day without a bird. */
function EmptyFold({ row, style, onToggle }: EmptyFoldProps) {
  const { t } = useTranslation('timeline');
  return (
    <div className={`${classes['row']} ${classes['fold']}`} style={style}>
      <UnstyledButton
        className={classes['foldButton'] ?? ''}
        aria-expanded={row.isOpen}
        onClick={() => onToggle(row.day)}
      >
        <IconVideoOff size={16} stroke={1.6} aria-hidden />
        {t('empties', { count: row.empties })}
        <IconChevronDown size={16} aria-hidden data-open={row.isOpen || undefined} />
      </UnstyledButton>
    </div>
  );
}

/** Number of animation frames to wait until a card is loaded and rendered. */
const maxFrames = 120;

function focusCard(place: CardPosition, frames = maxFrames): void {
  const link = document.querySelector<HTMLElement>(`[data-place="${place.day} ${place.at}"] a`);
  if (link) link.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => focusCard(place, frames - 1));
}

/**
 * Scrolls to the visit that the hash of the URL names (`visit-7`) once it is loaded, and focuses its card. The visit stays
 * in place while the list above it is completed, until people scroll.
 */
function useVisitFromHash(
  days: ReadonlyMap<Day, LoadedDay>,
  layout: TimelineLayout,
  top: number,
  isRestored: boolean,
): void {
  const hash = useLocation({ select: (location) => location.hash });
  const moved = useRef(isRestored ? hash : '');
  const focused = useRef('');
  useOnUserMove(() => {
    moved.current = hash;
  });
  useEffect(() => {
    const id = Number(/^visit-(\d+)$/.exec(hash)?.[1]);
    if (Number.isNaN(id) || moved.current === hash) return;
    for (const [day, { visits }] of days) {
      const at = visits.findIndex((visit) => visit.id === id);
      const box = at === -1 ? undefined : placeOfCard(layout, { day, at });
      if (box === undefined) continue;
      window.scrollTo({ top: Math.max(0, top + box.top - headerPixels - stripPixels), behavior: 'instant' });
      if (focused.current !== hash) focusCard({ day, at });
      focused.current = hash;
    }
  }, [hash, days, layout, top]);
}

function focusedCard(): CardPosition | undefined {
  const place = document.activeElement?.closest<HTMLElement>('[data-place]')?.dataset['place'];
  const [day, at] = place?.split(' ') ?? [];
  return day === undefined ? undefined : { day, at: Number(at) };
}

/** Keys `j` and `k` move between cards; so do arrow keys while a card has the focus. */
function useCardKeys(layout: TimelineLayout, top: number, y: number): void {
  const go = (move: Move) => {
    const focused = focusedCard();
    const place =
      focused === undefined ? firstCardFrom(layout, y + headerPixels) : moveCard(layout, focused, move);
    const box = place && placeOfCard(layout, place);
    if (place === undefined || box === undefined) return;
    const from = window.scrollY - top + headerPixels + stripPixels;
    const to = window.scrollY - top + window.innerHeight;
    if (box.top < from) window.scrollTo({ top: top + box.top - headerPixels - stripPixels });
    else if (box.top + box.height > to)
      window.scrollTo({ top: top + box.top + box.height - window.innerHeight + phoneBarPixels });
    focusCard(place);
  };
  const goFromCard = (move: Move) => (focusedCard() === undefined ? false : go(move));
  useShortcuts({
    j: () => go('next'),
    k: () => go('previous'),
    ArrowRight: () => goFromCard('next'),
    ArrowLeft: () => goFromCard('previous'),
    ArrowDown: () => goFromCard('down'),
    ArrowUp: () => goFromCard('up'),
  });
}

const phoneBarPixels = 76;
