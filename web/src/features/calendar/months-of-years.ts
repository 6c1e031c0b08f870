import { addDays, addMonths, type Day } from '../../lib/days';

/** A month of a certain year. */
export interface DatedMonth {
  readonly year: number;
  /** First and last day. */
  readonly from: Day;
  readonly to: Day;
}

/** Years, both inclusive. */
interface Years {
  readonly from: number;
  readonly to: number;
}

/** Returns a month (0 to 11) of each of the years in which it has started by `today`, newest first. */
export function monthsOfYears(month: number, years: Years, today: Day): DatedMonth[] {
  const [current = 0, now = 1] = today.split('-').map(Number);
  const last = Math.min(years.to, month + 1 <= now ? current : current - 1);
  return Array.from({ length: Math.max(0, last - years.from + 1) }, (_, index) => {
    const year = last - index;
    const name = `${String(year).padStart(4, '0')}-${String(month + 1).padStart(2, '0')}`;
    return { year, from: `${name}-01`, to: addDays(`${addMonths(name, 1)}-01`, -1) };
  });
}
