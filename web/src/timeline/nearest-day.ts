import { type Day, daysBetween } from '../hub-time/days';

interface DayWithVisits {
  readonly date: Day;
  readonly visits: number;
}

/** The day with visits that is nearest to a day, the earlier of two that are equally near. */
export function nearestDay(day: Day, days: readonly DayWithVisits[]): Day | undefined {
  const distance = (date: Day) => Math.abs(daysBetween(day, date));
  return days
    .filter(({ date, visits }) => visits > 0 && date !== day)
    .map(({ date }) => date)
    .sort((a, b) => distance(a) - distance(b) || a.localeCompare(b))
    .at(0);
}
