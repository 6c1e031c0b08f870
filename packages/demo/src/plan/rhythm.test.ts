import { describe, expect, it } from 'vitest';
import { activityAt } from './rhythm.js';

const hourMs = 3_600_000;
const sun = { riseAt: Date.parse('2026-05-01T04:00:00Z'), setAt: Date.parse('2026-05-01T19:00:00Z') };
const atHour = (hour: number) => activityAt(Date.parse('2026-05-01T00:00:00Z') + hour * hourMs, sun);

describe('activityAt', () => {
  it('activity at night, is zero', () => {
    expect([0, 2, 3.6, 19.3, 21, 23.9].map(atHour)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('activity after sunrise and before sunset, is higher than at noon', () => {
    expect(atHour(5.25)).toBeGreaterThan(atHour(12) * 2);
    expect(atHour(17.75)).toBeGreaterThan(atHour(12) * 2);
    expect(atHour(5.25)).toBeGreaterThan(atHour(17.75));
  });

  it('activity at every minute of the day, is a probability', () => {
    const values = Array.from({ length: 1440 }, (_, minute) => atHour(minute / 60));
    expect(Math.min(...values)).toBe(0);
    expect(Math.max(...values)).toBeLessThanOrEqual(1);
    expect(Math.max(...values)).toBeGreaterThan(0.95);
  });
});
