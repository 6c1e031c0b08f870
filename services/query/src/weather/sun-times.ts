import type { Settings } from '@birdhub/domain/settings';
import { type DayWindow, minuteMs } from '@birdhub/shared/time';
import { getTimes } from 'suncalc';
import type { SunTimes } from './weather.schema.js';

/**
 * Computes the sun times of a local day: those of the solar day whose noon is nearest to the middle of the day, so that
 * they are in order even if dusk is after midnight. Events that do not occur, as in polar day, are null. They are those
 * of a place nearby and rounded to the minute, as anybody may read them and exact ones tell where the hub is.
 */
export function computeSunTimes({ start, end }: DayWindow, { latitude, longitude }: Place): SunTimes {
  const times = getTimes(new Date((start + end) / 2), toTenth(latitude), toTenth(longitude));
  const instantOf = (time: Date | null) => time && toMinute(time).toISOString();
  return {
    dawn: instantOf(times.dawn),
    sunrise: instantOf(times.sunrise),
    noon: instantOf(times.solarNoon),
    sunset: instantOf(times.sunset),
    dusk: instantOf(times.dusk),
  };
}

const toTenth = (degrees: number) => Math.round(degrees * 10) / 10;
const toMinute = (time: Date) => new Date(Math.round(time.getTime() / minuteMs) * minuteMs);

/** The coordinates of the hub in degrees, north and east positive. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

function toDegrees(text: string, max: number): number | undefined {
  const degrees = Number(text);
  return text.trim() && Math.abs(degrees) <= max ? degrees : undefined;
}

/** Returns the coordinates of the settings; undefined when they are not set or invalid. */
export function hubPlace({ secrets }: Pick<Settings, 'secrets'>): Place | undefined {
  const latitude = toDegrees(secrets.latitude, 90);
  const longitude = toDegrees(secrets.longitude, 180);
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}
