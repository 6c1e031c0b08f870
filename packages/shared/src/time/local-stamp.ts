import { offsetMs } from './zone-offset.js';

/** `2026-05-01_231530`, as the clock on the wall shows it: for the names of files. */
export function localStamp(zone: string, instant: number): string {
  const local = new Date(instant + offsetMs(zone, instant)).toISOString();
  return `${local.slice(0, 10)}_${local.slice(11, 19).replaceAll(':', '')}`;
}
