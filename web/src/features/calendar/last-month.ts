import { addDays, addMonths, type Day } from '../../lib/days';

/** Returns first and last day of the latest such month (0 to 11) that has started by `today`, not after `lastYear`. */
export function lastMonth(
  month: number,
  today: Day,
  lastYear?: number,
): { readonly from: Day; readonly to: Day } {
  const [year = 0, current = 1] = today.split('-').map(Number);
  const newest = month + 1 <= current ? year : year - 1;
  const name = `${Math.min(newest, lastYear ?? newest)}-${String(month + 1).padStart(2, '0')}`;
  return { from: `${name}-01`, to: addDays(`${addMonths(name, 1)}-01`, -1) };
}
