import { dayMs } from '@birdhub/shared/time';
import { getPosition, getTimes } from 'suncalc';
import type { Region } from './bird-lists.js';

/** A location in degrees, north and east positive. */
export interface Place {
  latitude: number;
  longitude: number;
}

/** Sunrise and sunset in ms since the epoch. */
export interface Sun {
  riseAt: number;
  setAt: number;
}

/** Where the sun of a region rises and sets unless a place is given: Berlin and New York. */
export const regionPlaces: Readonly<Record<Region, Place>> = {
  europe: { latitude: 52.5, longitude: 13.4 },
  america: { latitude: 40.7, longitude: -74 },
};

/**
 * Returns sunrise and sunset of a date. If the sun does not set, the day is 24 hours long; if it does not rise, both are
 * at noon.
 */
export function sunOf(date: string, { latitude, longitude }: Place): Sun {
  const meanNoon = Date.parse(`${date}T12:00:00Z`) - (longitude / 360) * dayMs;
  const { sunrise, sunset, solarNoon } = getTimes(new Date(meanNoon), latitude, longitude);
  if (sunrise && sunset) return { riseAt: sunrise.getTime(), setAt: sunset.getTime() };
  const noonAt = solarNoon.getTime();
  const halfDayMs = getPosition(solarNoon, latitude, longitude).altitude > 0 ? dayMs / 2 : 0;
  return { riseAt: noonAt - halfDayMs, setAt: noonAt + halfDayMs };
}

/**
 * Returns the location whose daylight the demo uses: the given one if it fits the offset of the time zone, else the same
 * latitude at the meridian of the zone, so that birds always come by day.
 */
export function placeFittingZone(place: Place, offsetHours: number): Place {
  const differenceHours = Math.abs(offsetHours - place.longitude / 15);
  return differenceHours <= 3 ? place : { latitude: place.latitude, longitude: offsetHours * 15 };
}
