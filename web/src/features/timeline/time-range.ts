import { addDays, type Day } from '../../lib/days';

/** Ranges relative to today. */
export const movingRanges = ['today', 'yesterday', 'week', 'month'] as const;

export type MovingRange = (typeof movingRanges)[number];

/** Days that the timeline shows, both ends inclusive, and how they were chosen. */
export interface TimeRange {
  readonly kind: MovingRange | 'all' | 'day' | 'custom';
  /** Undefined: from the first visit. */
  readonly from: Day | undefined;
  readonly to: Day;
}

/** Search parameters of the range; `date` takes precedence. */
interface RangeSearch {
  readonly date?: Day;
  readonly from?: Day;
  readonly to?: Day;
  readonly range?: MovingRange;
}

const daysOf: Readonly<Record<MovingRange, readonly [first: number, last: number]>> = {
  today: [0, 0],
  yesterday: [-1, -1],
  week: [-6, 0],
  month: [-29, 0],
};

/** Returns the range for search parameters. */
export function rangeOf({ date, from, to, range }: RangeSearch, today: Day): TimeRange {
  if (date !== undefined) {
    const kind = date === today ? 'today' : date === addDays(today, -1) ? 'yesterday' : 'day';
    return { kind, from: date, to: date };
  }
  if (from !== undefined || to !== undefined) return { kind: 'custom', from, to: to ?? today };
  if (range === undefined) return { kind: 'all', from: undefined, to: today };
  const [first, last] = daysOf[range];
  return { kind: range, from: addDays(today, first), to: addDays(today, last) };
}

/** Returns the only day of a range; undefined if it has several. */
export const onlyDay = ({ from, to }: TimeRange): Day | undefined => (from === to ? to : undefined);
