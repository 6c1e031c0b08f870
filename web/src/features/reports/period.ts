import { addDays, addMonths, type Day, daysBetween, isDay, startOfDay } from '../../lib/days';

/** First and last day, inclusive. */
export interface Period {
  readonly from: Day;
  readonly to: Day;
}

/** Maximum number of days of a report and of an export. */
export const maxPeriodDays = { report: 93, export: 366 } as const;

const monthOf = (day: Day): string => day.slice(0, 7);

/** Returns the month `YYYY-MM` before that of a day. */
export const monthBefore = (today: Day): string => addMonths(monthOf(today), -1);

/** Returns the period of a month. */
export function periodOf(month: string): Period {
  return { from: `${month}-01`, to: addDays(`${addMonths(month, 1)}-01`, -1) };
}

/** Returns the months `YYYY-MM` of a period, newest first. */
export function monthsOf({ from, to }: Period): string[] {
  const months: string[] = [];
  for (let month = monthOf(to); month >= monthOf(from); month = addMonths(month, -1)) months.push(month);
  return months;
}

/** Returns why a period is invalid, or undefined. */
export function periodFault(
  { from, to }: Period,
  maxDays: number,
): 'no_day' | 'backwards' | 'too_long' | undefined {
  if (!isDay(from) || !isDay(to)) return 'no_day';
  if (to < from) return 'backwards';
  return daysBetween(from, to) + 1 > maxDays ? 'too_long' : undefined;
}

/** Converts a period to instants with an exclusive end. */
export function windowOf({ from, to }: Period, zone: string): { start_time: string; end_time: string } {
  return {
    start_time: startOfDay(from, zone).toISOString(),
    end_time: startOfDay(addDays(to, 1), zone).toISOString(),
  };
}

/** Named periods relative to today. */
export const namedPeriods = {
  this_month: (today: Day): Period => ({ from: `${monthOf(today)}-01`, to: today }),
  last_month: (today: Day): Period => periodOf(monthBefore(today)),
  this_year: (today: Day): Period => ({ from: `${today.slice(0, 4)}-01-01`, to: today }),
  twelve_months: (today: Day): Period => ({ from: `${addMonths(monthOf(today), -11)}-01`, to: today }),
} as const;

export type PeriodName = keyof typeof namedPeriods;

/** Returns the shortest named period with the latest sighting; last month while unknown. */
export function newestPeriod(newest: Day | undefined, today: Day): PeriodName {
  const names = ['last_month', 'this_month', 'twelve_months'] as const;
  const holds = (name: PeriodName) => {
    const { from, to } = namedPeriods[name](today);
    return newest !== undefined && newest >= from && newest <= to;
  };
  return names.find(holds) ?? 'last_month';
}
