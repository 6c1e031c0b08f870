import { describe, expect, it } from 'vitest';
import { addDays, addMonths, dayOf, daysBetween, hourOf, isDay } from './days';

describe('days', () => {
  it.each([
    ['2026-03-29', 1, '2026-03-30'],
    ['2026-10-25', -1, '2026-10-24'],
    ['2024-02-28', 1, '2024-02-29'],
    ['2026-01-01', -1, '2025-12-31'],
  ])('%s and %i, are %s', (day, days, expected) => {
    expect(addDays(day, days)).toBe(expected);
    expect(daysBetween(day, expected)).toBe(days);
  });

  it.each([
    ['2026-02-29', false],
    ['2024-02-29', true],
    ['2026-2-1', false],
    [undefined, false],
  ])('%s, is a day: %s', (text, expected) => expect(isDay(text)).toBe(expected));

  it('months over the turn of a year, are those of the next', () => {
    expect([addMonths('2026-12', 1), addMonths('2026-01', -13)]).toEqual(['2027-01', '2024-12']);
  });

  it.each([
    ['2026-03-29T00:59:59Z', 'Europe/Berlin', '2026-03-29', 1 + 3599 / 3600],
    ['2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29', 3],
    ['2026-05-04T23:30:00Z', 'Europe/Berlin', '2026-05-05', 1.5],
    ['2026-05-04T23:30:00Z', 'America/St_Johns', '2026-05-04', 21],
    ['2026-05-04T22:00:00Z', 'Europe/Berlin', '2026-05-05', 0],
  ])('an instant %s in %s, is on %s at %d', (instant, zone, day, hour) => {
    expect(dayOf(new Date(instant), zone)).toBe(day);
    expect(hourOf(new Date(instant), zone)).toBeCloseTo(hour, 9);
  });
});
