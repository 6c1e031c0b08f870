import type { TimelineItem } from '../../components/visits/describe-visit';

/** A clock hour of the day, or `before` for what began on the day before and reaches into it. */
export type Hour = number | 'before';

/** Visits that stand together: those of a clock hour, or of several in a row that had few. */
export interface HourGroup {
  /** The earliest and the latest of its hours. */
  readonly from: Hour;
  readonly to: Hour;
  readonly items: readonly TimelineItem[];
}

export interface HeadingRow extends Omit<HourGroup, 'items'> {
  readonly kind: 'heading';
  readonly visits: number;
}

export interface CardRow extends HourGroup {
  readonly kind: 'cards';
}

/** A line of the list: the heading of a group, or as many cards as stand beside each other. */
export type Row = HeadingRow | CardRow;

const isVisit = (item: TimelineItem) => item.timeline_kind === 'visit';

/** Items of a day, newest first, one group an hour. An hour that the clock shows twice is one group. */
export function groupByHour(
  items: readonly TimelineItem[],
  hourOf: (item: TimelineItem) => Hour,
): HourGroup[] {
  const groups: { from: Hour; to: Hour; items: TimelineItem[] }[] = [];
  for (const item of items) {
    const hour = hourOf(item);
    const last = groups.at(-1);
    if (last?.to === hour) last.items.push(item);
    else groups.push({ from: hour, to: hour, items: [item] });
  }
  return groups;
}

/** Joins hours that have few items with those before them, until a group has enough; the day before stays apart. */
export function joinSparse(groups: readonly HourGroup[], enough: number): HourGroup[] {
  const joined: HourGroup[] = [];
  for (const group of groups) {
    const last = joined.at(-1);
    if (last === undefined || last.items.length >= enough || group.from === 'before') joined.push(group);
    else joined[joined.length - 1] = { ...last, from: group.from, items: [...last.items, ...group.items] };
  }
  return joined;
}

/** The lines of the list, with so many cards beside each other. */
export function layOutRows(groups: readonly HourGroup[], columns: number): Row[] {
  return groups.flatMap(({ from, to, items }) => [
    { kind: 'heading' as const, from, to, visits: items.filter(isVisit).length },
    ...Array.from({ length: Math.ceil(items.length / columns) }, (_, line) => ({
      kind: 'cards' as const,
      from,
      to,
      items: items.slice(line * columns, (line + 1) * columns),
    })),
  ]);
}

/** How many visits began in each of the 24 hours. */
export function countHours(groups: readonly HourGroup[]): number[] {
  const counts = Array.from({ length: 24 }, () => 0);
  for (const { to, items } of groups) {
    if (to !== 'before') counts[to] = (counts[to] ?? 0) + items.filter(isVisit).length;
  }
  return counts;
}

/** The line to show for an hour: its own, or that of the next earlier one that has something. -1 when there is none. */
export function rowOfHour(rows: readonly Row[], hour: number): number {
  return rows.findIndex((row) => row.kind === 'heading' && (row.from === 'before' || row.from <= hour));
}
