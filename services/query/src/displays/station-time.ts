import { formatOffset, offsetMs } from '@birdhub/shared/time';

/** A local time of the hub, in the formats of BirdNET-Go. */
export interface StationTime {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** `HH:MM:SS` */
  readonly time: string;
  /** RFC 3339 with the offset of the zone, to the second. */
  readonly timestamp: string;
}

/** Converts an instant in ms since the epoch to local time of a zone. */
export function toStationTime(zone: string, instant: number): StationTime {
  // Historic offsets have seconds, which RFC 3339 does not support.
  const minutes = Math.round(offsetMs(zone, instant) / 60_000);
  const local = new Date(instant + minutes * 60_000).toISOString();
  const [date, time] = [local.slice(0, 10), local.slice(11, 19)];
  const offset = minutes === 0 ? 'Z' : formatOffset(minutes * 60_000);
  return { date, time, timestamp: `${date}T${time}${offset}` };
}
