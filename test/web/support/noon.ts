/** The place of the demo in the request that starts it. */
interface DemoPlace {
  /** IANA zone. */
  readonly timezone: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** A zone for every hour of the day, so that it is noon in one of them. */
const zones = [
  'Pacific/Pago_Pago',
  'Pacific/Honolulu',
  'America/Anchorage',
  'America/Los_Angeles',
  'America/Denver',
  'America/Chicago',
  'America/New_York',
  'America/Halifax',
  'America/Sao_Paulo',
  'America/Noronha',
  'Atlantic/Azores',
  'Europe/London',
  'Europe/Berlin',
  'Europe/Athens',
  'Europe/Moscow',
  'Asia/Dubai',
  'Asia/Karachi',
  'Asia/Dhaka',
  'Asia/Bangkok',
  'Asia/Singapore',
  'Asia/Tokyo',
  'Australia/Brisbane',
  'Pacific/Noumea',
  'Pacific/Auckland',
];

const europeanLatitude = 52.5;
const degreesPerHour = 15;

/** Returns the hours since midnight in a zone. */
function hourIn(timezone: string, now: Date): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now);
  const partOf = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return partOf('hour') + partOf('minute') / 60;
}

/** Returns a place at the latitude of Berlin where the local time is now about 11:30 to 12:30. */
export function placeAtNoon(now: Date): DemoPlace {
  const fromNoon = (timezone: string) => Math.abs(hourIn(timezone, now) - 12);
  const [timezone = 'UTC'] = zones.toSorted((one, other) => fromNoon(one) - fromNoon(other));
  const hourUtc = now.getUTCHours() + now.getUTCMinutes() / 60;
  const ahead = ((hourIn(timezone, now) - hourUtc + 36) % 24) - 12;
  return { timezone, latitude: europeanLatitude, longitude: ahead * degreesPerHour };
}
