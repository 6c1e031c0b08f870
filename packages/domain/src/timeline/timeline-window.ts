import { invalidField } from '@birdhub/shared/errors';
import { dayWindow, isDay, offsetMs, parseQueryTime, type TimeWindow } from '@birdhub/shared/time';

/** A requested window. */
export interface AskedWindow {
  readonly start_time?: string | undefined;
  readonly end_time?: string | undefined;
  readonly date?: string | undefined;
}

const dayMs = 86_400_000;

function readTime(name: string, text: string): number {
  const instant = parseQueryTime(text);
  if (instant === undefined) throw invalidField(name, 'must be unix seconds or an RFC 3339 date-time');
  return instant;
}

/** Whether a window has at most so many days, either in local days or in hours. */
function isShortEnough({ start, end }: TimeWindow, zone: string, maxDays: number): boolean {
  const byTheWall = end + offsetMs(zone, end) - (start + offsetMs(zone, start));
  return Math.min(end - start, byTheWall) <= maxDays * dayMs;
}

/**
 * The window between two times, at most so many days long, or of a day in the hub's zone.
 * @throws HubError invalid_request that names the parameter
 */
export function readWindow(
  { start_time, end_time, date }: AskedWindow,
  zone: string,
  maxDays = 31,
): TimeWindow {
  if (date !== undefined) {
    if (start_time !== undefined || end_time !== undefined)
      throw invalidField('date', 'must not stand beside start_time or end_time');
    if (!isDay(date)) throw invalidField('date', 'must be a day, YYYY-MM-DD');
    return dayWindow(zone, date);
  }
  if (start_time === undefined) throw invalidField('start_time', 'is required with end_time, or else date');
  if (end_time === undefined) throw invalidField('end_time', 'is required with start_time');
  const start = readTime('start_time', start_time);
  const end = readTime('end_time', end_time);
  if (end <= start) throw invalidField('end_time', 'must be after start_time');
  const window = { start, end };
  if (!isShortEnough(window, zone, maxDays))
    throw invalidField('end_time', `must be at most ${maxDays} days after start_time`);
  return window;
}
