import { type Day, dayOf } from './days';

const [hourMs, secondMs] = [3_600_000, 1_000];

/** The instant at which a day begins in a zone (IANA name), which is not midnight where the clock leaps over it. */
export function dayStart(day: Day, zone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // No zone is further from UTC.
  let [before, after] = [midnight - 15 * hourMs, midnight + 13 * hourMs];
  while (after - before > secondMs) {
    const middle = before + Math.floor((after - before) / 2 / secondMs) * secondMs;
    if (dayOf(new Date(middle), zone) < day) before = middle;
    else after = middle;
  }
  return new Date(after);
}
