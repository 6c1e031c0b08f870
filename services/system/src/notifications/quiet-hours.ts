import type { Settings } from '@birdhub/domain/settings';
import { localStamp } from '@birdhub/shared/time';

/** `14:05`, as the clock on the wall shows it. */
export function localTime(zone: string, instant: number): string {
  const stamp = localStamp(zone, instant);
  return `${stamp.slice(11, 13)}:${stamp.slice(13, 15)}`;
}

/** Whether nobody wants to be told now; hours may go over midnight, and equal ends are none. */
export function isQuiet({ general, notifications }: Settings, now: number): boolean {
  const { quiet_hours_start: start, quiet_hours_end: end } = notifications;
  if (!start || !end) return false;
  const time = localTime(general.timezone, now);
  return start <= end ? start <= time && time < end : time >= start || time < end;
}
