import { offsetSpans } from './offset-spans.js';
import type { TimeWindow } from './zone.js';

/** The clock of a zone in a window: when each of its offsets begins, and the offset in ms. */
export interface ZoneClock {
  readonly starts: readonly Date[];
  readonly offsets: readonly number[];
}

/** The clock of a zone in a window, as the parameters of {@link localHourSql}. */
export function readZoneClock(zone: string, window: TimeWindow): ZoneClock {
  const spans = offsetSpans(zone, window);
  return {
    starts: spans.map((span) => new Date(span.start)),
    offsets: spans.map((span) => span.offsetMs),
  };
}

/** SQL for the hour, 0 to 23, that the clock on the wall shows; sessions run in UTC, so hours are those of UTC. */
export function localHourSql(instant: string, starts: string, offsets: string): string {
  const offset = `(${offsets}::int[])[width_bucket(${instant}, ${starts}::timestamptz[])]`;
  return `date_part('hour', ${instant} + ${offset} * interval '1 millisecond')::int`;
}
