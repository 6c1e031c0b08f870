import { addDays, dayOf, startOfDay } from '../../lib/days';

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;

/** Steps within a day in minutes, and whole days; each divides what is longer, so that ticks fall on round times. */
const stepsMs = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * minuteMs);
const stepsDays = [1, 2, 5, 10];

/** Round times of a zone (IANA name) between two instants in ms, so many at most, for the axis of a chart. */
export function timeTicks(from: number, to: number, zone: string, maxTicks: number): number[] {
  const first = dayOf(new Date(from), zone);
  const stepMs = stepsMs.find((step) => (to - from) / step < maxTicks);
  const ticks: number[] = [];
  if (stepMs !== undefined) {
    // From midnight to midnight, so that a change of the clock moves only the ticks of its own day.
    for (let day = first; startOfDay(day, zone).getTime() <= to; day = addDays(day, 1)) {
      const end = Math.min(to + 1, startOfDay(addDays(day, 1), zone).getTime());
      for (let at = startOfDay(day, zone).getTime(); at < end; at += stepMs) if (at >= from) ticks.push(at);
    }
    return ticks;
  }
  const days = stepsDays.find((step) => (to - from) / (step * dayMs) < maxTicks) ?? 30;
  for (let day = first; startOfDay(day, zone).getTime() <= to; day = addDays(day, days)) {
    const at = startOfDay(day, zone).getTime();
    if (at >= from) ticks.push(at);
  }
  return ticks;
}
