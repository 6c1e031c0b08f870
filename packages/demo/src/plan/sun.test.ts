import { describe, expect, it } from 'vitest';
import { placeFittingZone, sunOf } from './sun.js';

const berlin = { latitude: 52.5, longitude: 13.4 };
const fiveMinutesMs = 5 * 60_000;
const apart = (at: number, expected: string) => Math.abs(at - Date.parse(expected));

describe('sunOf', () => {
  it.each([
    ['2026-06-21', berlin, '2026-06-21T02:43:00Z', '2026-06-21T19:33:00Z'],
    ['2026-12-21', berlin, '2026-12-21T07:15:00Z', '2026-12-21T14:54:00Z'],
    ['2026-03-20', { latitude: 40.7, longitude: -74 }, '2026-03-20T11:00:00Z', '2026-03-20T23:08:00Z'],
    ['2026-12-21', { latitude: -33.9, longitude: 151.2 }, '2026-12-20T18:41:00Z', '2026-12-21T09:05:00Z'],
  ])('sunrise and sunset on %s at %o, are within five minutes of the almanac', (date, place, rise, set) => {
    const sun = sunOf(date, place);
    expect(apart(sun.riseAt, rise)).toBeLessThan(fiveMinutesMs);
    expect(apart(sun.setAt, set)).toBeLessThan(fiveMinutesMs);
  });

  it('a polar day, has 24 hours, and a polar night none', () => {
    const north = { latitude: 78, longitude: 15 };
    const summer = sunOf('2026-06-21', north);
    const winter = sunOf('2026-12-21', north);
    expect((summer.setAt - summer.riseAt) / 3_600_000).toBeCloseTo(24, 5);
    expect(winter.setAt - winter.riseAt).toBe(0);
  });
});

describe('placeFittingZone', () => {
  it('a place in or near the zone of the clock, is kept', () => {
    expect(placeFittingZone(berlin, 1)).toBe(berlin);
    expect(placeFittingZone(berlin, 0)).toBe(berlin);
  });

  it('a place half the world from the clock, moves to the middle of the zone', () => {
    expect(placeFittingZone(berlin, -8)).toEqual({ latitude: 52.5, longitude: -120 });
  });
});
