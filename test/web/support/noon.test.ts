import { describe, expect, it } from 'vitest';
import { placeAtNoon } from './noon.js';

describe('a place at noon', () => {
  it.each(Array.from({ length: 24 }, (_, hour) => hour))(
    'at %s:20 UTC, has its clock near noon and its sun in the south',
    (hour) => {
      const now = new Date(Date.UTC(2026, 10, 25, hour, 20));
      const { timezone, latitude, longitude } = placeAtNoon(now);
      const clock = new Intl.DateTimeFormat('en-GB', {
        timeZone: timezone,
        hour: '2-digit',
        hourCycle: 'h23',
      });
      expect(Number(clock.format(now))).toBeGreaterThanOrEqual(11);
      expect(Number(clock.format(now))).toBeLessThanOrEqual(13);
      expect(latitude).toBe(52.5);
      expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
      const sunHour = (hour + 20 / 60 + longitude / 15 + 24) % 24;
      expect(Math.abs(sunHour - 12)).toBeLessThanOrEqual(1.1);
    },
  );
});
