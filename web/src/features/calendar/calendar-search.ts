/** What the address of the calendar says; what is left out is as the page begins. */
export interface CalendarSearch {
  /** Arrival and departure instead of numbers by month. */
  readonly view?: 'seasons';
  readonly sort?: CalendarSort;
  readonly catalog?: 'full';
  readonly evidence?: 'video';
  readonly metric?: 'individuals';
  /** First and last year that count. */
  readonly from?: number;
  readonly to?: number;
}

/** The orders that species can be looked at in. */
export const calendarSorts = ['total', 'name', 'arrival'] as const;

export type CalendarSort = (typeof calendarSorts)[number];

/** The chosen order, or the one that a view begins with. */
export const sortOf = ({ sort, view }: CalendarSearch): CalendarSort =>
  sort ?? (view === 'seasons' ? 'arrival' : 'total');

const isSort = (value: unknown): value is CalendarSort => calendarSorts.some((sort) => sort === value);

const isYear = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= 9999;

/** Takes from an address what it may say; years the wrong way round are turned. */
export function calendarSearch(raw: Record<string, unknown>): CalendarSearch {
  const { view, sort, catalog, evidence, metric, from, to } = raw;
  const years = [from, to].filter(isYear);
  const isTurned = years.length === 2 && Number(from) > Number(to);
  return {
    ...(view === 'seasons' && { view }),
    ...(isSort(sort) && { sort }),
    ...(catalog === 'full' && { catalog }),
    ...(evidence === 'video' && { evidence }),
    ...(metric === 'individuals' && { metric }),
    ...(isYear(from) && { from: isTurned ? Number(to) : from }),
    ...(isYear(to) && { to: isTurned ? Number(from) : to }),
  };
}
