import { firstInstantAt, offsetMs } from '@birdhub/shared/time';

const hourMs = 3_600_000;
const wallClock = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?$/;

/** Returns the ms of a local time, counted as if it were UTC; undefined unless it is one of the years 1970 to 9999. */
export function readWallClock(text: string): number | undefined {
  const [, year = '', month, day, hour, minute, second = '00', fraction = ''] = wallClock.exec(text) ?? [];
  if (year < '1970') return undefined;
  const wall = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  // JavaScript takes 30 February for 2 March.
  const isReal = !Number.isNaN(wall) && new Date(wall).getUTCDate() === Number(day) && Number(hour) < 24;
  return isReal ? wall + Math.round(Number(`0.${fraction || 0}`) * 1000) : undefined;
}

/** The instants of a local time: two in the hour that autumn repeats, one otherwise. */
export interface LocalInstants {
  readonly first: number;
  /** Undefined when the local time is not repeated. */
  readonly second: number | undefined;
}

/**
 * Returns the instants of a local time. One that spring leaves out is as long after the change as the clock would have shown
 * had it not been changed, which is what programs write that add seconds to a local time.
 */
export function toInstants(zone: string, wallMs: number): LocalInstants {
  const first = firstInstantAt(zone, wallMs);
  if (first + offsetMs(zone, first) !== wallMs)
    return { first: wallMs - offsetMs(zone, first - 1), second: undefined };
  // No clock is set back by more than three hours.
  const second = wallMs - offsetMs(zone, first + 3 * hourMs);
  const isRepeated = second > first && second + offsetMs(zone, second) === wallMs;
  return { first, second: isRepeated ? second : undefined };
}

/** How far the local times of rows that were written one after the other have come in a repeated hour. */
export interface RepeatedHour {
  /** The latest local time of the hour, as {@link readWallClock} counts. */
  readonly latest: number;
  readonly isSecond: boolean;
}

/** Programs write what they heard at most a few minutes late, so a clock that goes back further was set back. */
const minStepBackMs = 10 * 60_000;

/**
 * Returns the instant of a local time that was written after others. A repeated hour is the first of the two until its local
 * times go back; what is known of it is `before`, which the caller keeps.
 */
export function toInstantInOrder(
  zone: string,
  wallMs: number,
  before: RepeatedHour | undefined,
): { readonly instant: number; readonly hour: RepeatedHour | undefined } {
  const { first, second } = toInstants(zone, wallMs);
  if (second === undefined) {
    // A row of the minutes before, written late, does not end the hour.
    const isPast = before !== undefined && Math.abs(wallMs - before.latest) > 6 * hourMs;
    return { instant: first, hour: isPast ? undefined : before };
  }
  const isSame = before !== undefined && Math.abs(wallMs - before.latest) < 6 * hourMs;
  if (!isSame) return { instant: first, hour: { latest: wallMs, isSecond: false } };
  const isSecond = before.isSecond || wallMs < before.latest - minStepBackMs;
  const latest = isSecond && !before.isSecond ? wallMs : Math.max(before.latest, wallMs);
  return { instant: isSecond ? second : first, hour: { latest, isSecond } };
}
