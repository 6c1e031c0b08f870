import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useMemo } from 'react';
import type { TimelineItem } from '../../components/visits/describe-visit';
import type { Day } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { hourOnDay } from './hour-on-day';
import { groupByHour, joinSparse, layOutRows, type Row } from './lay-out-rows';
import { useAnchor } from './use-anchor';
import { gap, useColumns } from './use-columns';
import { useReturn } from './use-return';

/** Height of what stays above the list while it scrolls, and of the heading of an hour, in px. */
const stickyHeight = 132;
const headingHeight = 44;

/** Hours with fewer visits stand together. */
const leastInGroup = 3;

const keyOf = (row: Row) => (row.kind === 'heading' ? `heading ${row.to}` : (row.items[0]?.id ?? 0));

/** The lines of a day, of which only those in sight are drawn. `offset` is where the page was scrolled to before. */
export function useVisitRows(day: Day, items: readonly TimelineItem[], offset: number) {
  const { dayOf, hourOf } = useTimeFormat();
  const { list, top, columns, cardHeight } = useColumns();
  const groups = useMemo(
    () => groupByHour(items, (item) => hourOnDay(item, day, dayOf, hourOf)),
    [items, day, dayOf, hourOf],
  );
  const rows = useMemo(
    () => layOutRows(joinSparse(groups, Math.max(leastInGroup, columns)), columns),
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

  useReturn(offset, top + virtualizer.getTotalSize());

  const edge = (virtualizer.scrollOffset ?? 0) + stickyHeight;
  const drawn = virtualizer.getVirtualItems();
  const topRow = drawn.find(({ end }) => end > edge)?.index ?? 0;
  useAnchor(rows, virtualizer, topRow);
  return { list, top, columns, groups, rows, virtualizer, drawn, topRow };
}
