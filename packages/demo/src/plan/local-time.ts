const minuteMs = 60_000;
const dayMs = 86_400_000;
/** More than the maximum offset of any time zone from UTC. */
const maxOffsetMs = 15 * 3_600_000;

/** The local dates and times of a time zone. Instants are ms since the epoch, dates `YYYY-MM-DD`. */
export type LocalTime = {
  zone: string;
  dateOf(at: number): string;
  /** The time of day as `HHMMSS`, as in the names of folders of recordings. */
  clockOf(at: number): string;
  /** Offset from UTC in hours, east positive. */
  offsetHours(at: number): number;
  /** The first instant of a date, which is not midnight when the clocks skip it. */
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
    const minuteStart = Math.floor(at / minuteMs) * minuteMs;
    return (Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`) - minuteStart) / 3_600_000;
  };
  return { zone, dateOf, clockOf, offsetHours, startOf: (date) => firstInstant(date, dateOf) };
}

/** Returns the date a number of calendar days later, or earlier if negative. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T12:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** Returns the last `count` dates up to and including today, oldest first. */
export function lastDates(time: LocalTime, now: number, count: number): string[] {
  const today = time.dateOf(now);
  return Array.from({ length: count }, (_, index) => addDays(today, index + 1 - count));
}

/** Bisects to the second, which is correct in every zone, even on days when the clocks change. */
function firstInstant(date: string, dateOf: (at: number) => string): number {
  const middle = Date.parse(`${date}T00:00:00Z`);
  let low = (middle - maxOffsetMs) / 1000;
  let high = (middle + maxOffsetMs) / 1000;
  while (high - low > 1) {
    const half = Math.floor((low + high) / 2);
    if (dateOf(half * 1000) < date) low = half;
    else high = half;
  }
  return high * 1000;
}
