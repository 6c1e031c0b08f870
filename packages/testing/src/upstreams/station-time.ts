/** The local time of a zone at an instant. */
export interface WallClock {
  /** `2026-05-01` */
  readonly date: string;
  /** `06:12:03` */
  readonly time: string;
  /** `+02:00` */
  readonly offset: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'longOffset',
  });
  formats.set(timeZone, format);
  return format;
}

/** Returns the local time of a zone at an instant in ms since the epoch. */
export function readWallClock(at: number, timeZone: string): WallClock {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const offset = parts.get('timeZoneName')?.replace('GMT', '') ?? '';
  return {
    date: ['year', 'month', 'day'].map((part) => parts.get(part as 'year')).join('-'),
    time: ['hour', 'minute', 'second'].map((part) => parts.get(part as 'hour')).join(':'),
    offset: offset === '' ? 'Z' : offset,
  };
}

/** Returns an instant as RFC 3339 in whole seconds with the offset of a zone. */
export function toZonedText(at: number, timeZone: string): string {
  const { date, time, offset } = readWallClock(at, timeZone);
  return `${date}T${time}${offset}`;
}
