import type { TimelineItem } from '../../components/visits/describe-visit';
import type { Day } from '../../lib/days';

/** Clock hour, or `before` for a visit that began on the day before. */
export type Hour = number | 'before';

/** Visits of one clock hour, or of several consecutive hours with few visits. */
export interface HourGroup {
  /** Earliest and latest hour. */
  readonly from: Hour;
  readonly to: Hour;
  readonly items: readonly TimelineItem[];
}

export interface HeadingRow extends Omit<HourGroup, 'items'> {
  readonly kind: 'heading';
  readonly visits: number;
}

interface CardRow extends HourGroup {
  readonly kind: 'cards';
}

/** A row of the list: the heading of a group, or cards beside each other. */
export type Row = HeadingRow | CardRow;

const isVisit = (item: TimelineItem) => item.timeline_kind === 'visit';

/** Groups items of a day, newest first, by hour. An hour that a clock change repeats is one group. */
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

/** Joins hours with fewer than `enough` items with the previous ones; the day before stays separate. */
export function joinSparse(groups: readonly HourGroup[], enough: number): HourGroup[] {
  const joined: HourGroup[] = [];
  for (const group of groups) {
    const last = joined.at(-1);
    if (last === undefined || last.items.length >= enough || group.from === 'before') joined.push(group);
    else joined[joined.length - 1] = { ...last, from: group.from, items: [...last.items, ...group.items] };
  }
  return joined;
}

/** Lays groups out as rows of `columns` cards. */
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

/** Counts the visits that began in each of the 24 hours. */
export function countHours(groups: readonly HourGroup[]): number[] {
  const counts = Array.from({ length: 24 }, () => 0);
  for (const { to, items } of groups) {
    if (to !== 'before') counts[to] = (counts[to] ?? 0) + items.filter(isVisit).length;
  }
  return counts;
}

/** Returns the index of the heading of an hour or of the next earlier one with visits; -1 when there is none. */
export function rowOfHour(rows: readonly Row[], hour: number): number {
  return rows.findIndex((row) => row.kind === 'heading' && (row.from === 'before' || row.from <= hour));
}

/** Returns the hour in which an item began; `dayOf` and `hourOf` read the clock of the hub's zone. */
export function hourOnDay(
  { start_time }: TimelineItem,
  day: Day,
  dayOf: (instant: string) => Day,
  hourOf: (instant: string) => number,
): Hour {
  return dayOf(start_time) < day ? 'before' : Math.floor(hourOf(start_time));
}

/** Direction of keyboard navigation: in reading order or between rows. */
export type Move = 'next' | 'previous' | 'up' | 'down';

/** A card and the index of its row. */
interface CardPlace {
  readonly row: number;
  readonly item: TimelineItem;
}

const cardsOf = (row: Row | undefined): CardRow['items'] => (row?.kind === 'cards' ? row.items : []);

function nextLine(rows: readonly Row[], from: number, step: 1 | -1): number | undefined {
  let line = from + step;
  while (rows[line]?.kind === 'heading') line += step;
  return rows[line] && line;
}

/**
 * Returns the card that a move leads to from the card of an item; undefined at the ends of the list. Without an item,
 * the first card at or below row `top`.
 */
export function moveCard(
  rows: readonly Row[],
  id: number | undefined,
  move: Move,
  top = 0,
): CardPlace | undefined {
  const at = (row: number | undefined, column: number): CardPlace | undefined => {
    const item = row === undefined ? undefined : cardsOf(rows[row]).at(column);
    return row === undefined || item === undefined ? undefined : { row, item };
  };
  const row = rows.findIndex((line) => cardsOf(line).some((item) => item.id === id));
  if (row === -1) return at(nextLine(rows, top - 1, 1), 0);
  const cards = cardsOf(rows[row]);
  const column = cards.findIndex((item) => item.id === id);
  const step = move === 'next' || move === 'down' ? 1 : -1;
  const isSideways = move === 'next' || move === 'previous';
  if (isSideways && cards[column + step] !== undefined) return at(row, column + step);
  const line = nextLine(rows, row, step);
  if (isSideways) return at(line, step === 1 ? 0 : -1);
  const width = line === undefined ? 0 : cardsOf(rows[line]).length;
  return at(line, Math.min(column, width - 1));
}
