import { invalidField } from '@birdhub/shared/errors';
import { type DayWindow, dayWindowAt, dayWindowAtOffset, isTimeZone, offsetMs } from '@birdhub/shared/time';
import type { NeighborsQuery } from './neighbors.schema.js';

/** The day of a recording on the clock that a caller reads. */
export interface NeighborsDay extends DayWindow {
  /** As `Date.getTimezoneOffset` has it. */
  readonly offsetMinutes: number;
}

/** A clock by its zone, or by one offset all year. */
export type WallClock = { readonly zone: string } | { readonly offsetMinutes: number };

/** @throws HubError invalid_request for a zone that does not exist */
export function readWallClock(query: NeighborsQuery, hubZone: string): WallClock {
  const { day_scope, tz, tz_offset_minutes } = query;
  if (tz !== undefined && !isTimeZone(tz)) throw invalidField('tz', 'must be an IANA time zone');
  if (day_scope === 'utc') return { zone: 'UTC' };
  if (tz !== undefined) return { zone: tz };
  return tz_offset_minutes === undefined ? { zone: hubZone } : { offsetMinutes: tz_offset_minutes };
}

/** The day that holds an instant. */
export function dayOn(clock: WallClock, instant: number): NeighborsDay {
  if ('offsetMinutes' in clock)
    return { ...dayWindowAtOffset(instant, clock.offsetMinutes), offsetMinutes: clock.offsetMinutes };
  // Zero and not minus zero for UTC, which JSON could not tell but tests do.
  const offsetMinutes = 0 - Math.round(offsetMs(clock.zone, instant) / 60_000);
  return { ...dayWindowAt(clock.zone, instant), offsetMinutes };
}

/** Whether a flag that browsers write in several ways is set. */
export function isYes(flag: string | undefined): boolean {
  return ['1', 'true', 'yes'].includes(flag?.toLowerCase() ?? '');
}
