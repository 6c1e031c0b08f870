import { hourMs } from '@birdhub/shared/time';

/** Sunrise and sunset in ms since midnight UTC. */
export interface Daylight {
  readonly rise: number;
  readonly set: number;
}

const latitude = (51.5 * Math.PI) / 180;
const tilt = (23.44 * Math.PI) / 180;
const noon = 12 * hourMs;

/** Returns sunrise and sunset at 51.5 degrees north on the meridian of Greenwich, so that daylight is within a UTC day. */
export function daylightOf(dayOfYear: number): Daylight {
  const declination = -tilt * Math.cos((2 * Math.PI * (dayOfYear + 10)) / 365.25);
  const half = (Math.acos(-Math.tan(latitude) * Math.tan(declination)) / Math.PI) * noon;
  return { rise: noon - half, set: noon + half };
}
