import type { TimelineItem } from '../../components/visits/describe-visit';
import type { Day } from '../../lib/days';
import type { Hour } from './lay-out-rows';

/** The hour of a day that an item began in, by the clock of the zone that the two functions read. */
export function hourOnDay(
  { start_time }: TimelineItem,
  day: Day,
  dayOf: (instant: string) => Day,
  hourOf: (instant: string) => number,
): Hour {
  return dayOf(start_time) < day ? 'before' : Math.floor(hourOf(start_time));
}
