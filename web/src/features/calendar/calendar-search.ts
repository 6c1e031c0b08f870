import { type Day, dayFromUrl } from '../../lib/days';

/** Counts by day, counts by month, the weeks of a year, seasons. */
export const calendarViews = ['days', 'months', 'year', 'seasons'] as const;

export type CalendarView = (typeof calendarViews)[number];

/** Search parameters of the calendar; missing ones have their default. */
export interface CalendarSearch {
  /** By default, counts by day in the first year of a hub, by month later. */
  readonly view?: CalendarView;
  /** Last day of the day view; today by default. */
  readonly until?: Day;
  /** Year of the year view; the current one by default. */
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

/** Returns the chosen view, or a default that fits the other parameters and the age of the hub. */
export function viewOf(search: CalendarSearch, isFirstYear: boolean): CalendarView {
  if (search.view !== undefined) return search.view;
  const { sort, catalog, evidence, metric, from, to } = search;
  const isByMonth = [sort, catalog, evidence, metric, from, to].some((one) => one !== undefined);
  return isFirstYear && !isByMonth ? 'days' : 'months';
}

const isSort = (value: unknown): value is CalendarSort => calendarSorts.some((sort) => sort === value);

const isYear = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= 9999;

/** Validates search parameters; swapped years are put in order. */
export function calendarSearch(raw: Record<string, unknown>): CalendarSearch {
  const { year, sort, catalog, evidence, metric, from, to } = raw;
  const view = calendarViews.find((one) => one === raw['view']);
  const until = dayFromUrl(raw['until']);
  const years = [from, to].filter(isYear);
  const isReversed = years.length === 2 && Number(from) > Number(to);
  return {
    ...(view !== undefined && { view }),
    ...((view === undefined || view === 'days') && until !== undefined && { until }),
    ...(view === 'year' && isYear(year) && { year }),
    ...(isSort(sort) && { sort }),
    ...(catalog === 'full' && { catalog }),
    ...(evidence === 'video' && { evidence }),
    ...(metric === 'individuals' && { metric }),
    ...(isYear(from) && { from: isReversed ? Number(to) : from }),
    ...(isYear(to) && { to: isReversed ? Number(from) : to }),
  };
}
