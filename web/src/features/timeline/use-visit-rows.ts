import { useMediaQuery } from '@mantine/hooks';
import { useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { TimelineItem } from '../../components/visits/describe-visit';
import type { Day } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { groupByHour, hourOnDay, joinSparse, layOutRows, type Row } from './visit-rows';

/** Heights of the sticky header and of a heading, in px. */
const stickyHeight = 132;
const headingHeight = 44;

/** Hours with fewer visits are joined. */
const minGroupSize = 3;

const keyOf = (row: Row) => (row.kind === 'heading' ? `heading ${row.to}` : (row.items[0]?.id ?? 0));

/** Rows of a day in a window virtualizer; `offset` is the scroll position to restore. */
export function useVisitRows(day: Day, items: readonly TimelineItem[], offset: number) {
  const { dayOf, hourOf } = useTimeFormat();
  const { list, top, columns, cardHeight } = useColumns();
  const groups = useMemo(
    () => groupByHour(items, (item) => hourOnDay(item, day, dayOf, hourOf)),
    [items, day, dayOf, hourOf],
  );
  const rows = useMemo(
    () => layOutRows(joinSparse(groups, Math.max(minGroupSize, columns)), columns),
    [groups, columns],
  );
  const cardSpace = cardHeight + (columns === 1 ? gap / 2 : gap);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (rows[index]?.kind === 'heading' ? headingHeight : cardSpace),
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
    overscan: 3,
    scrollMargin: top,
    scrollPaddingStart: stickyHeight,
    initialOffset: offset,
    useFlushSync: false,
  });

  useScrollRestoration(offset, top + virtualizer.getTotalSize());

  const edge = (virtualizer.scrollOffset ?? 0) + stickyHeight;
  const drawn = virtualizer.getVirtualItems();
  const topRow = drawn.find(({ end }) => end > edge)?.index ?? 0;
  useAnchor(rows, virtualizer, topRow);
  return { list, top, columns, groups, rows, virtualizer, drawn, topRow };
}

/** Minimum width of a card and the gap between cards, in px. */
const minCardWidth = 248;
const gap = 16;

/** Measures a list: columns, approximate height of a card, and its offset from the top of the page. */
function useColumns() {
  const list = useRef<HTMLDivElement>(null);
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const [{ width, top }, setPlace] = useState({ width: 0, top: 0 });
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const measure = () => {
      const box = element.getBoundingClientRect();
      const place = { width: Math.round(box.width), top: Math.round(box.top + window.scrollY) };
      setPlace((old) => (old.width === place.width && old.top === place.top ? old : place));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const columns = isNarrow ? 1 : Math.max(1, Math.floor((width + gap) / (minCardWidth + gap)));
  const cardWidth = (width - gap * (columns - 1)) / columns;
  return { list, top, columns, cardHeight: isNarrow ? 92 : Math.round((cardWidth * 3) / 4) + 90 };
}

const firstCard = (row: Row | undefined): number | undefined =>
  row?.kind === 'cards' ? row.items[0]?.id : undefined;

/** Keeps the scroll position when visits are added above; not at the top of the list. */
function useAnchor(rows: readonly Row[], virtualizer: Virtualizer<Window, Element>, topRow: number): void {
  const anchor = useRef<{ readonly id: number; readonly start: number }>(undefined);
  useLayoutEffect(() => {
    const kept = anchor.current;
    if (kept === undefined) return;
    const place = rows.findIndex((row) => row.kind === 'cards' && row.items.some(({ id }) => id === kept.id));
    const start = virtualizer.measurementsCache[place]?.start ?? kept.start;
    if (start !== kept.start) window.scrollBy({ top: start - kept.start });
  }, [rows, virtualizer]);
  useEffect(() => {
    const place = firstCard(rows[topRow]) === undefined ? topRow + 1 : topRow;
    const id = firstCard(rows[place]);
    const start = virtualizer.measurementsCache[place]?.start;
    const isAtTop = place <= 1;
    anchor.current = isAtTop || id === undefined || start === undefined ? undefined : { id, start };
  });
}

/** Events that end the restoration. */
const userEvents = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

/** Restores a scroll position once the page is high enough (both in px), unless the user scrolls before. */
function useScrollRestoration(offset: number, reach: number): void {
  const wanted = useRef(offset);
  useEffect(() => {
    const cancel = () => {
      wanted.current = 0;
    };
    for (const event of userEvents) window.addEventListener(event, cancel, { passive: true });
    return () => {
      for (const event of userEvents) window.removeEventListener(event, cancel);
    };
  }, []);
  useEffect(() => {
    if (wanted.current === 0 || reach < wanted.current) return;
    window.scrollTo({ top: wanted.current });
    wanted.current = 0;
  }, [reach]);
}
