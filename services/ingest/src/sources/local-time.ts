import { dayMs, daysBefore, firstInstantAt, hourMs, localDay, offsetMs } from '@birdhub/shared/time';

const wallClock = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?$/;

/** Parses a local time to ms as if it were UTC; undefined when invalid or outside the years 1970 to 9999. */
export function readWallClock(text: string): number | undefined {
  const [, year = '', month, day, hour, minute, second = '00', fraction = ''] = wallClock.exec(text) ?? [];
  if (year < '1970') return undefined;
  const wall = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  // JavaScript parses 30 February as 2 March.
  const isValid = !Number.isNaN(wall) && new Date(wall).getUTCDate() === Number(day) && Number(hour) < 24;
  return isValid ? wall + Math.round(Number(`0.${fraction || 0}`) * 1000) : undefined;
}

/** The instants of a local time: two in the hour that is repeated in autumn, one otherwise. */
export interface LocalInstants {
  readonly first: number;
  /** Undefined unless the local time is repeated. */
  readonly second: number | undefined;
}

/**
 * Returns the instants of a local time. A time that is skipped in spring is interpreted with the offset before the
 * change, as written by programs that add seconds to a local time.
 */
export function toInstants(zone: string, wallMs: number): LocalInstants {
  const first = firstInstantAt(zone, wallMs);
  if (first + offsetMs(zone, first) !== wallMs)
    return { first: wallMs - offsetMs(zone, first - 1), second: undefined };
  // Clocks are never set back by more than three hours.
  const second = wallMs - offsetMs(zone, first + 3 * hourMs);
  const isRepeated = second > first && second + offsetMs(zone, second) === wallMs;
  return { first, second: isRepeated ? second : undefined };
}

/** The progress of consecutive rows within a repeated hour. */
export interface RepeatedHour {
  /** The latest local time of the hour, see {@link readWallClock}. */
  readonly latest: number;
  readonly isSecond: boolean;
}

/** Programs write detections at most a few minutes late, so a larger step back means that the clock was set back. */
const minStepBackMs = 10 * 60_000;

/**
 * Returns the instant of a local time in a sequence. In a repeated hour it is the first of the two instants until the
 * local times step back; the caller passes on the state as `before`.
 */
export function toInstantInOrder(
  zone: string,
  wallMs: number,
  before: RepeatedHour | undefined,
): { readonly instant: number; readonly hour: RepeatedHour | undefined } {
  const { first, second } = toInstants(zone, wallMs);
  if (second === undefined) {
    // A late row of an earlier minute does not end the hour.
    const isPast = before !== undefined && Math.abs(wallMs - before.latest) > 6 * hourMs;
    return { instant: first, hour: isPast ? undefined : before };
  }
  const isSame = before !== undefined && Math.abs(wallMs - before.latest) < 6 * hourMs;
  if (!isSame) return { instant: first, hour: { latest: wallMs, isSecond: false } };
  const isSecond = before.isSecond || wallMs < before.latest - minStepBackMs;
  const latest = isSecond && !before.isSecond ? wallMs : Math.max(before.latest, wallMs);
  return { instant: isSecond ? second : first, hour: { latest, isSecond } };
}

/**
 * Returns the day at which reading since an instant starts: the day before, as the time zone of a station may differ by
 * up to half a day, and not long before 1970, as programs may reject such days.
 */
export function firstDayOf(since: number, zone: string): string {
  return daysBefore(localDay(zone, Math.max(since, dayMs)), 1);
}
