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

/** Returns the periods of a preset: the current period up to today, and as many days of the other one. */
export function pairOf(preset: Preset, today: Day): PeriodPair {
  const week = { from: addDays(today, -6), to: today };
  const month = today.slice(0, 7);
  const monthSoFar = { from: `${month}-01`, to: today };
  switch (preset) {
    case 'week':
      return { period: week, other: { from: addDays(today, -13), to: addDays(today, -7) } };
    case 'week_year':
      // 52 weeks, so that the days of the week are the same.
      return { period: week, other: { from: addDays(week.from, -364), to: addDays(week.to, -364) } };
    case 'month': {
      const before = addMonths(month, -1);
      const sameDay = `${before}-${today.slice(8)}`;
      const end = lastDayOf(before);
      return { period: monthSoFar, other: { from: `${before}-01`, to: sameDay > end ? end : sameDay } };
    }
    case 'month_year':
      return { period: monthSoFar, other: { from: inYear(monthSoFar.from, -1), to: inYear(today, -1) } };
    case 'year': {
      const soFar = { from: `${today.slice(0, 4)}-01-01`, to: today };
      return { period: soFar, other: { from: inYear(soFar.from, -1), to: inYear(today, -1) } };
    }
  }
}

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
