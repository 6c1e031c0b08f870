const DAY_MS = 86_400_000;
/** No zone is further from UTC than this. */
const FARTHEST_ZONE_MS = 15 * 3_600_000;

/** The calendar and the clock of one zone. Instants are milliseconds since 1970, dates `YYYY-MM-DD`. */
export type LocalTime = {
  zone: string;
  dateOf(at: number): string;
  /** `HHMMSS`, as the folders of recordings are named. */
  clockOf(at: number): string;
  /** How far the clock is ahead of UTC. */
  offsetHours(at: number): number;
  /** The first instant of a date, which is not midnight where the clock jumps over it. */
  startOf(date: string): number;
};

/** @throws RangeError when the zone is not an IANA name */
export function localTimeIn(zone: string): LocalTime {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const partsOf = (at: number): Record<string, string> =>
    Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const dateOf = (at: number): string => {
    const { year, month, day } = partsOf(at);
    return `${year}-${month}-${day}`;
  };
  const clockOf = (at: number): string => {
    const { hour, minute, second } = partsOf(at);
    return `${hour}${minute}${second}`;
  };
  const offsetHours = (at: number): number => {
    const { year, month, day, hour, minute } = partsOf(at);
    return (Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`) - at) / 3_600_000;
  };
  return { zone, dateOf, clockOf, offsetHours, startOf: (date) => firstInstant(date, dateOf) };
}

/** The date so many calendar days later, or earlier when negative. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T12:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The last `count` dates up to and with that of `now`, oldest first. */
export function lastDates(time: LocalTime, now: number, count: number): string[] {
  const today = time.dateOf(now);
  return Array.from({ length: count }, (_, index) => addDays(today, index + 1 - count));
}

/** Bisection to the second: right in every zone, whatever its clock does on that day. */
function firstInstant(date: string, dateOf: (at: number) => string): number {
  const middle = Date.parse(`${date}T00:00:00Z`);
  let before = (middle - FARTHEST_ZONE_MS) / 1000;
  let reached = (middle + FARTHEST_ZONE_MS) / 1000;
  while (reached - before > 1) {
    const half = Math.floor((before + reached) / 2);
    if (dateOf(half * 1000) < date) before = half;
    else reached = half;
  }
  return reached * 1000;
}
