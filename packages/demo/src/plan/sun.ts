const dayMs = 86_400_000;
const noon2000 = Date.UTC(2000, 0, 1, 12);
/** Altitude of the centre of the sun at sunrise and sunset, including refraction. */
const horizonDegrees = -0.833;
const tiltDegrees = 23.4397;

/** A location in degrees, north and east positive. */
export type Place = { latitude: number; longitude: number };

/** Sunrise and sunset in ms since the epoch. */
export type Sun = { riseAt: number; setAt: number };

/**
 * Returns sunrise and sunset of a date by the sunrise equation, accurate to a few minutes. If the sun does not set, the
 * day is 24 hours long; if it does not rise, both are at noon.
 */
export function sunOf(date: string, place: Place): Sun {
  const dayNumber = (Date.parse(`${date}T12:00:00Z`) - noon2000) / dayMs;
  const meanNoon = dayNumber - place.longitude / 360;
  const anomaly = 357.5291 + 0.98560028 * meanNoon;
  const centre = 1.9148 * sin(anomaly) + 0.02 * sin(2 * anomaly) + 0.0003 * sin(3 * anomaly);
  const longitude = anomaly + centre + 180 + 102.9372;
  const noon = meanNoon + 0.0053 * sin(anomaly) - 0.0069 * sin(2 * longitude);
  const halfDay = halfDayDegrees(sin(longitude) * sin(tiltDegrees), place.latitude) / 360;
  return { riseAt: noon2000 + (noon - halfDay) * dayMs, setAt: noon2000 + (noon + halfDay) * dayMs };
}

/**
 * Returns the location whose daylight the demo uses: the given one if it fits the offset of the time zone, else the same
 * latitude at the meridian of the zone, so that birds always come by day.
 */
export function placeFittingZone(place: Place, offsetHours: number): Place {
  const differenceHours = Math.abs(offsetHours - place.longitude / 15);
  return differenceHours <= 3 ? place : { latitude: place.latitude, longitude: offsetHours * 15 };
}

function halfDayDegrees(sinDeclination: number, latitude: number): number {
  const cosDeclination = Math.sqrt(1 - sinDeclination ** 2);
  const cosHourAngle =
    (sin(horizonDegrees) - sin(latitude) * sinDeclination) / (sin(90 - latitude) * cosDeclination);
  return (Math.acos(Math.min(1, Math.max(-1, cosHourAngle))) * 180) / Math.PI;
}

function sin(degrees: number): number {
  return Math.sin((degrees * Math.PI) / 180);
}
