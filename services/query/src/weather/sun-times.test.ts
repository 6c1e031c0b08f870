import { defaultSettings } from '@birdhub/domain/settings';
import { dayWindow, localDay, localHour } from '@birdhub/shared/time';
import { describe, expect, it } from 'vitest';
import { computeSunTimes, hubPlace } from './sun-times.js';
import type { SunTimes } from './weather.schema.js';

const on = (zone: string, day: string, latitude: number, longitude: number) =>
  computeSunTimes(dayWindow(zone, day), { latitude, longitude });
const instants = (times: SunTimes) =>
  [times.dawn, times.sunrise, times.noon, times.sunset, times.dusk].map((time) => Date.parse(time ?? ''));

/** Days between solstices and around clock changes. */
const days = [
  '2026-01-01',
  '2026-03-29',
  '2026-04-05',
  '2026-06-21',
  '2026-10-04',
  '2026-10-25',
  '2026-12-31',
];
const places: [zone: string, latitude: number, longitude: number][] = [
  ['Europe/London', 51.5, -0.13],
  ['America/New_York', 40.7, -74],
  ['Asia/Kathmandu', 27.7, 85.3],
  ['Australia/Lord_Howe', -31.55, 159.08],
  ['Pacific/Kiritimati', 1.87, -157.4],
  ['Pacific/Pago_Pago', -14.3, -170.7],
  ['Pacific/Chatham', -43.9, -176.5],
  ['Asia/Shanghai', 39.5, 75.9],
];

describe('computeSunTimes', () => {
  it.each([
    ['Europe/London', '2026-06-21', 51.4779, -0.0015, '03:43', '20:21'],
    ['Europe/London', '2026-12-21', 51.4779, -0.0015, '08:04', '15:53'],
    ['Australia/Lord_Howe', '2026-01-15', -31.55, 159.08, '18:33', '08:32'],
  ])('%s on %s, equals the almanac within two minutes', (zone, day, latitude, longitude, sunrise, sunset) => {
    const times = on(zone, day, latitude, longitude);
    const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
    const near = (time: string | null, expected: string) =>
      expect(Math.abs(minutes(time?.slice(11, 16) ?? '') - minutes(expected))).toBeLessThanOrEqual(2);
    near(times.sunrise, sunrise);
    near(times.sunset, sunset);
  });

  it.each(places)('%s on any day, is in order and of that local day', (zone, latitude, longitude) => {
    for (const day of days) {
      const all = instants(on(zone, day, latitude, longitude));
      expect(all).toEqual([...all].sort((a, b) => a - b));
      expect(all.map((instant) => localDay(zone, instant))).toEqual(Array(5).fill(day));
      expect([11, 12, 13, 14, 15]).toContain(localHour(zone, all[2] ?? 0));
    }
  });

  it('one day after another, has its noon a day later', () => {
    const [first = 0, second = 0] = ['2026-04-04', '2026-04-05'].map(
      (day) => instants(on('Australia/Lord_Howe', day, -31.55, 159.08))[2],
    );
    expect(Math.abs(second - first - 86_400_000)).toBeLessThanOrEqual(60_000);
  });

  it('polar day, has only a noon', () => {
    const times = on('Arctic/Longyearbyen', '2026-06-21', 78.22, 15.64);
    expect(times).toEqual({ dawn: null, sunrise: null, noon: expect.any(String), sunset: null, dusk: null });
    expect(localDay('Arctic/Longyearbyen', Date.parse(times.noon ?? ''))).toBe('2026-06-21');
  });

  it('polar night with twilight, has dawn and dusk around noon', () => {
    const times = on('Europe/Oslo', '2026-12-21', 69.65, 18.96);
    expect([times.sunrise, times.sunset]).toEqual([null, null]);
    const { dawn, noon, dusk } = times;
    expect(Date.parse(dawn ?? '')).toBeLessThan(Date.parse(noon ?? ''));
    expect(Date.parse(noon ?? '')).toBeLessThan(Date.parse(dusk ?? ''));
  });

  it('a white night, has sunrise and sunset but no dawn', () => {
    const times = on('Europe/Helsinki', '2026-06-21', 64, 26);
    expect([times.dawn, times.dusk]).toEqual([null, null]);
    expect(times.sunrise).not.toBeNull();
  });

  it('a place, is not told more exactly than to a tenth of a degree, nor by milliseconds', () => {
    const times = on('Europe/London', '2026-05-01', 51.4779, -0.0015);
    expect(on('Europe/London', '2026-05-01', 51.5402, 0.0482)).toEqual(times);
    for (const instant of instants(times)) expect(instant % 60_000).toBe(0);
  });

  it('dusk after midnight, belongs to the evening before', () => {
    const times = on('Europe/Helsinki', '2026-06-10', 60.17, 24.94);
    const [dawn = 0, , , sunset = 0, dusk = 0] = instants(times);
    expect(dusk).toBeGreaterThan(sunset);
    expect(dusk - dawn).toBeLessThan(86_400_000);
    expect(localDay('Europe/Helsinki', dusk)).toBe('2026-06-11');
  });
});

const { secrets } = defaultSettings('UTC');
const at = (latitude: string, longitude: string) =>
  hubPlace({ secrets: { ...secrets, latitude, longitude } });

describe('hubPlace', () => {
  it.each([
    ['50.1', '14.4', 50.1, 14.4],
    [' -33.9 ', '+151.2', -33.9, 151.2],
    ['0', '0', 0, 0],
    ['90', '-180', 90, -180],
  ])('%s and %s, are a place', (latitude, longitude, north, east) => {
    expect(at(latitude, longitude)).toEqual({ latitude: north, longitude: east });
  });

  it.each([
    ['', ''],
    ['50.1', ''],
    ['', '14.4'],
    [' ', '14.4'],
    ['90.1', '14.4'],
    ['50.1', '180.5'],
    ['north', '14.4'],
  ])('%j and %j, are not a place', (latitude, longitude) => {
    expect(at(latitude, longitude)).toBeUndefined();
  });
});
