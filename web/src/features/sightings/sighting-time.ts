import { instantOfLocalTime } from '../../lib/days';
import type { Photo } from './photo';

/** Why a local time cannot be the time of a sighting. */
type TimeProblem = 'time_missing' | 'time_ahead';

/** Checks a time of a `datetime-local` field in the hub's zone; returns its instant or the problem. */
export function checkTime(
  local: string,
  zone: string,
  now: Date,
): { readonly instant: Date } | { readonly problem: TimeProblem } {
  const instant = instantOfLocalTime(local, zone);
  if (Number.isNaN(instant.getTime())) return { problem: 'time_missing' };
  return instant > now ? { problem: 'time_ahead' } : { instant };
}

/**
 * Returns when a photo was taken; undefined if the time is missing or in the future. Without a stored offset, the
 * camera is assumed to show the time of the hub's zone.
 */
export function photoInstant(
  takenAt: NonNullable<Photo['takenAt']> | undefined,
  zone: string,
  now: Date,
): Date | undefined {
  if (takenAt === undefined) return undefined;
  const { local, offset } = takenAt;
  const instant = offset === undefined ? instantOfLocalTime(local, zone) : new Date(`${local}${offset}`);
  return Number.isNaN(instant.getTime()) || instant > now ? undefined : instant;
}
