import type { Day } from '../../lib/days';

/** Known content of a day of the timeline; lists of days are newest first. */
export interface DayContent {
  readonly day: Day;
  /** Number of visits, as counted by the hub or as loaded. */
  readonly visits: number;
  /** Number of recordings without a bird; 0 until they are loaded. */
  readonly empties: number;
  /** Whether these recordings are shown as cards. */
  readonly isOpen: boolean;
}

/** Sizes of the list in px. */
export interface ListMetrics {
  readonly columns: number;
  readonly headingHeight: number;
  /** Height of a row of cards including the gap below it. */
  readonly cardRowHeight: number;
  /** Height of the line that replaces collapsed empty recordings. */
  readonly foldHeight: number;
}

/** A day with its position in the list, in px. */
interface PlacedDay extends DayContent {
  readonly top: number;
  readonly cardRows: number;
  readonly emptyRows: number;
}

/** The list, with all heights computed before rendering. */
export interface TimelineLayout {
  readonly metrics: ListMetrics;
  readonly days: readonly PlacedDay[];
  readonly height: number;
}

/** A row of the list; `at` is the index of its first card within the day. */
export type PlacedRow = { readonly day: Day; readonly top: number; readonly key: string } & (
  | { readonly kind: 'heading'; readonly visits: number }
  | { readonly kind: 'cards' | 'empties'; readonly at: number; readonly count: number }
  | { readonly kind: 'fold'; readonly empties: number; readonly isOpen: boolean }
);

/** Computes the position of each day of the list. */
export function layOut(days: readonly DayContent[], metrics: ListMetrics): TimelineLayout {
  const { columns, headingHeight, cardRowHeight, foldHeight } = metrics;
  let top = 0;
  const placed = days.map((day) => {
    const cardRows = Math.ceil(day.visits / columns);
    const emptyRows = day.isOpen ? Math.ceil(day.empties / columns) : 0;
    const result = { ...day, top, cardRows, emptyRows };
    top += headingHeight + (cardRows + emptyRows) * cardRowHeight + (day.empties > 0 ? foldHeight : 0);
    return result;
  });
  return { metrics, days: placed, height: top };
}

/** Returns the index of the day at `y`, the nearest one outside the list, or -1 if the list is empty. */
export function dayIndexAt({ days }: TimelineLayout, y: number): number {
  let low = 0;
  let high = days.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((days[middle]?.top ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return Math.min(low, days.length - 1);
}

/** Returns the top of a day, or of the next older one; the end of the list if all are newer. */
export function topOfDay({ days, height }: TimelineLayout, day: Day): number {
  return days.find((one) => one.day <= day)?.top ?? height;
}

function* rowsOfDay(placed: PlacedDay, { columns, ...heights }: ListMetrics): Generator<PlacedRow> {
  const { day, visits, empties, isOpen, cardRows, emptyRows } = placed;
  let { top } = placed;
  yield { kind: 'heading', day, top, visits, key: day };
  top += heights.headingHeight;
  for (let row = 0; row < cardRows; row += 1) {
    const at = row * columns;
    yield { kind: 'cards', day, top, at, count: Math.min(columns, visits - at), key: `${day} ${row}` };
    top += heights.cardRowHeight;
  }
  if (empties === 0) return;
  yield { kind: 'fold', day, top, empties, isOpen, key: `${day} fold` };
  top += heights.foldHeight;
  for (let row = 0; row < emptyRows; row += 1) {
    const at = row * columns;
    yield {
      kind: 'empties',
      day,
      top,
      at,
      count: Math.min(columns, empties - at),
      key: `${day} empty ${row}`,
    };
    top += heights.cardRowHeight;
  }
}

/** Returns the rows that overlap a section of the list, in px. */
export function rowsBetween(layout: TimelineLayout, from: number, to: number): PlacedRow[] {
  const { days, metrics } = layout;
  const rows: PlacedRow[] = [];
  for (let at = Math.max(0, dayIndexAt(layout, from)); at < days.length; at += 1) {
    const placed = days[at];
    if (placed === undefined || placed.top >= to) break;
    for (const row of rowsOfDay(placed, metrics)) {
      if (row.top >= to) break;
      if (row.top + heightOf(row, metrics) > from) rows.push(row);
    }
  }
  return rows;
}

function heightOf({ kind }: PlacedRow, metrics: ListMetrics): number {
  if (kind === 'heading') return metrics.headingHeight;
  return kind === 'fold' ? metrics.foldHeight : metrics.cardRowHeight;
}

/** Position of a card: its day and its index among the visits of the day. */
export interface CardPosition {
  readonly day: Day;
  readonly at: number;
}

/** Direction of keyboard navigation: in reading order or between rows. */
export type Move = 'next' | 'previous' | 'up' | 'down';

/** Returns the card to which a move leads; undefined at the ends of the list, and if the day is no longer in it. */
export function moveCard(
  layout: TimelineLayout,
  { day, at }: CardPosition,
  move: Move,
): CardPosition | undefined {
  const { days, metrics } = layout;
  const index = days.findIndex((one) => one.day === day);
  const own = days[index];
  if (own === undefined) return undefined;
  const isBack = move === 'previous' || move === 'up';
  const isStep = move === 'next' || move === 'previous';
  const next = at + (isBack ? -1 : 1) * (isStep ? 1 : metrics.columns);
  if (next >= 0 && next < own.visits) return { day, at: next };
  // The last row of a day may be shorter than the one above it.
  const lastRow = Math.max(0, own.cardRows - 1);
  const isAboveLast = Math.floor(at / metrics.columns) < lastRow;
  if (move === 'down' && isAboveLast) return { day, at: own.visits - 1 };
  const other = findDayWithVisits(days, index, isBack ? -1 : 1);
  if (other === undefined) return undefined;
  if (isStep) return { day: other.day, at: isBack ? other.visits - 1 : 0 };
  const column = at % metrics.columns;
  const rowStart = isBack ? (other.cardRows - 1) * metrics.columns : 0;
  return { day: other.day, at: Math.min(rowStart + column, other.visits - 1) };
}

function findDayWithVisits(days: readonly PlacedDay[], from: number, step: 1 | -1): PlacedDay | undefined {
  for (let at = from + step; days[at] !== undefined; at += step) {
    if ((days[at]?.visits ?? 0) > 0) return days[at];
  }
  return undefined;
}

/** Returns the first card that starts at or below `y`; undefined if there is none. */
export function firstCardFrom(layout: TimelineLayout, y: number): CardPosition | undefined {
  const row = rowsBetween(layout, y, Number.POSITIVE_INFINITY).find(
    ({ kind, top }) => kind === 'cards' && top >= y,
  );
  return row?.kind === 'cards' ? { day: row.day, at: row.at } : undefined;
}

/** Returns the top and the height of the row of a card; undefined for a card that is not in the list. */
export function placeOfCard(
  { days, metrics }: TimelineLayout,
  { day, at }: CardPosition,
): { readonly top: number; readonly height: number } | undefined {
  const placed = days.find((one) => one.day === day);
  if (placed === undefined || at >= placed.visits) return undefined;
  const row = Math.floor(at / metrics.columns);
  return {
    top: placed.top + metrics.headingHeight + row * metrics.cardRowHeight,
    height: metrics.cardRowHeight,
  };
}
