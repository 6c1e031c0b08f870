/** Search parameters of the calendar; missing ones have their default. */
export interface CalendarSearch {
  /** Arrival and departure, or the weeks of a year, instead of counts by month. */
  readonly view?: 'seasons' | 'year';
  /** Year of the view of a year; without it the current one. */
  readonly year?: number;
  readonly sort?: CalendarSort;
  readonly catalog?: 'full';
  readonly evidence?: 'video';
  readonly metric?: 'individuals';
  /** First and last year, inclusive. */
  readonly from?: number;
  readonly to?: number;
}

/** Orders of the species. */
export const calendarSorts = ['total', 'name', 'arrival'] as const;

export type CalendarSort = (typeof calendarSorts)[number];

/** Returns the chosen order or the default of the view. */
export const sortOf = ({ sort, view }: CalendarSearch): CalendarSort =>
  sort ?? (view === 'seasons' ? 'arrival' : 'total');

const isSort = (value: unknown): value is CalendarSort => calendarSorts.some((sort) => sort === value);

const isYear = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= 9999;

/** Validates search parameters; swapped years are put in order. */
export function calendarSearch(raw: Record<string, unknown>): CalendarSearch {
  const { view, year, sort, catalog, evidence, metric, from, to } = raw;
  const years = [from, to].filter(isYear);
  const isTurned = years.length === 2 && Number(from) > Number(to);
  return {
    ...((view === 'seasons' || view === 'year') && { view }),
    ...(view === 'year' && isYear(year) && { year }),
    ...(isSort(sort) && { sort }),
    ...(catalog === 'full' && { catalog }),
    ...(evidence === 'video' && { evidence }),
    ...(metric === 'individuals' && { metric }),
    ...(isYear(from) && { from: isTurned ? Number(to) : from }),
    ...(isYear(to) && { to: isTurned ? Number(from) : to }),
  };
}
