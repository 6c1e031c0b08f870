import { addDays, addMonths, type Day, daysBetween } from '../../lib/days';

/** Days, both included. */
export interface Period {
  readonly from: Day;
  readonly to: Day;
}

/** A period and the one it is compared with. */
export interface PeriodPair {
  readonly period: Period;
  readonly other: Period;
}

/** Pairs of periods relative to today. */
export const presets = ['week', 'week_year', 'month', 'month_year', 'year'] as const;

export type Preset = (typeof presets)[number];

const lastDayOf = (month: string): Day => addDays(`${addMonths(month, 1)}-01`, -1);

/** Returns the same day in another year; 28 February if that year has no 29th. */
function inYear(day: Day, years: number): Day {
  const month = addMonths(day.slice(0, 7), years * 12);
  const same = `${month}-${day.slice(8)}`;
  return same > lastDayOf(month) ? lastDayOf(month) : same;
}

/**
 * Returns the periods of a preset: the last 7 days, or the current month or year, up to yesterday, as today is not over
 * yet, and as many days of the other one. On the first day of a month or a year, its period is today.
 */
export function pairOf(preset: Preset, today: Day): PeriodPair {
  const yesterday = addDays(today, -1);
  switch (preset) {
    case 'week':
    case 'week_year': {
      const week = { from: addDays(today, -7), to: yesterday };
      // 52 weeks, so that the days of the week are the same.
      const days = preset === 'week' ? -7 : -364;
      return { period: week, other: { from: addDays(week.from, days), to: addDays(week.to, days) } };
    }
    case 'month': {
      const month = today.slice(0, 7);
      const before = addMonths(month, -1);
      const period = soFar(`${month}-01`, yesterday);
      const sameDay = `${before}-${period.to.slice(8)}`;
      const end = lastDayOf(before);
      return { period, other: { from: `${before}-01`, to: sameDay > end ? end : sameDay } };
    }
    case 'month_year':
      return withYearBefore(soFar(`${today.slice(0, 7)}-01`, yesterday));
    case 'year':
      return withYearBefore(soFar(`${today.slice(0, 4)}-01-01`, yesterday));
  }
}

const soFar = (from: Day, yesterday: Day): Period => ({ from, to: from > yesterday ? from : yesterday });

const withYearBefore = (period: Period): PeriodPair => ({
  period,
  other: { from: inYear(period.from, -1), to: inYear(period.to, -1) },
});

/** Longest period that the hub compares, in days. */
const maxPeriodDays = 366;

/** Whether the hub accepts a period. */
export function isPeriod({ from, to }: Period): boolean {
  const days = daysBetween(from, to) + 1;
  return days >= 1 && days <= maxPeriodDays;
}

/** Returns the relative change as a fraction; undefined if `before` is 0. */
export function changeOf(now: number, before: number): number | undefined {
  return before === 0 ? undefined : (now - before) / before;
}
