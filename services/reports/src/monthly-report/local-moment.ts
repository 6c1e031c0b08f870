import { localDay, offsetMs } from '@birdhub/shared/time';
import type { Moment } from './report-contents.js';

/** What calendar and clock on the wall of a zone show at an instant, in ms since the epoch. */
export function localMoment(zone: string, instant: number): Moment {
  const time = new Date(instant + offsetMs(zone, instant)).toISOString().slice(11, 16);
  return { day: localDay(zone, instant), time };
}
