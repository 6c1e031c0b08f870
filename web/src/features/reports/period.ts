import { addDays, addMonths, type Day, daysBetween, isDay, startOfDay } from '../../lib/days';

/** Days of the hub, both in it. */
export interface Period {
  readonly from: Day;
  readonly to: Day;
}

/** The most days that a report and that an export may have. */
export const longestDays = { report: 93, export: 366 } as const;

const monthOf = (day: Day): string => day.slice(0, 7);

/** The month `YYYY-MM` before that of a day. */
export const monthBefore = (today: Day): string => addMonths(monthOf(today), -1);

/** A month from its first to its last day. */
export function periodOf(month: string): Period {
  return { from: `${month}-01`, to: addDays(`${addMonths(month, 1)}-01`, -1) };
}

/** The months `YYYY-MM` of a period, the newest first. */
export function monthsOf({ from, to }: Period): string[] {
  const months: string[] = [];
  for (let month = monthOf(to); month >= monthOf(from); month = addMonths(month, -1)) months.push(month);
  return months;
}

/** Why nobody can be asked for a period; undefined when it is fine. */
export function periodFault(
  { from, to }: Period,
  longest: number,
): 'no_day' | 'backwards' | 'too_long' | undefined {
  if (!isDay(from) || !isDay(to)) return 'no_day';
  if (to < from) return 'backwards';
  return daysBetween(from, to) + 1 > longest ? 'too_long' : undefined;
}

/** A period as the hub takes windows: instants, the end not itself in it. */
export function windowOf({ from, to }: Period, zone: string): { start_time: string; end_time: string } {
  return {
    start_time: startOfDay(from, zone).toISOString(),
    end_time: startOfDay(addDays(to, 1), zone).toISOString(),
  };
}

/** Periods that people mean by a name, by the day it is. */
export const namedPeriods = {
  this_month: (today: Day): Period => ({ from: `${monthOf(today)}-01`, to: today }),
  last_month: (today: Day): Period => periodOf(monthBefore(today)),
  this_year: (today: Day): Period => ({ from: `${today.slice(0, 4)}-01-01`, to: today }),
  twelve_months: (today: Day): Period => ({ from: `${addMonths(monthOf(today), -11)}-01`, to: today }),
} as const;

export type PeriodName = keyof typeof namedPeriods;

/** The shortest named period with the newest bird in it; last month while that is not known. */
export function newestPeriod(newest: Day | undefined, today: Day): PeriodName {
  const names = ['last_month', 'this_month', 'twelve_months'] as const;
  const holds = (name: PeriodName) => {
    const { from, to } = namedPeriods[name](today);
    return newest !== undefined && newest >= from && newest <= to;
  };
  return names.find(holds) ?? 'last_month';
}
