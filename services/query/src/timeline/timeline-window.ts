import { invalidField } from '@birdhub/shared/errors';
import { dayWindow, isDay, offsetMs, parseQueryTime, type TimeWindow } from '@birdhub/shared/time';

/** A window as a caller asks for it. */
export interface AskedWindow {
  readonly start_time?: string;
  readonly end_time?: string;
  readonly date?: string;
}

const longestMs = 31 * 86_400_000;

function readTime(name: string, text: string): number {
  const instant = parseQueryTime(text);
  if (instant === undefined) throw invalidField(name, 'must be unix seconds or an RFC 3339 date-time');
  return instant;
}

/** Whether a window has at most 31 days, either by the clock on the wall or in hours. */
function isShortEnough(start: number, end: number, zone: string): boolean {
  const byTheWall = end + offsetMs(zone, end) - (start + offsetMs(zone, start));
  return Math.min(end - start, byTheWall) <= longestMs;
}

/**
 * The window between two times, or of a day in the hub's zone.
 * @throws HubError invalid_request that names the parameter
 */
export function readWindow({ start_time, end_time, date }: AskedWindow, zone: string): TimeWindow {
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
  if (!isShortEnough(start, end, zone))
    throw invalidField('end_time', 'must be at most 31 days after start_time');
  return { start, end };
}
