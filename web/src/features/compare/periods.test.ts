import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, daysBetween, isDay } from '../../lib/days';
import { compareSearch, pairOfSearch } from './compare-search';
import { changeOf, isPeriod, pairOf, presets } from './periods';

const anyDay = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('2000-01-01', days));

describe('pairOf', () => {
  it.each([
    ['week', '2026-05-11', ['2026-05-04', '2026-05-10', '2026-04-27', '2026-05-03']],
    ['week_year', '2026-05-11', ['2026-05-04', '2026-05-10', '2025-05-05', '2025-05-11']],
    ['month', '2026-05-11', ['2026-05-01', '2026-05-10', '2026-04-01', '2026-04-10']],
    ['month', '2026-03-31', ['2026-03-01', '2026-03-30', '2026-02-01', '2026-02-28']],
    ['month', '2026-05-01', ['2026-05-01', '2026-05-01', '2026-04-01', '2026-04-01']],
    ['month_year', '2024-03-01', ['2024-03-01', '2024-03-01', '2023-03-01', '2023-03-01']],
    ['month_year', '2024-02-29', ['2024-02-01', '2024-02-28', '2023-02-01', '2023-02-28']],
    ['year', '2026-05-11', ['2026-01-01', '2026-05-10', '2025-01-01', '2025-05-10']],
    ['year', '2024-03-01', ['2024-01-01', '2024-02-29', '2023-01-01', '2023-02-28']],
    ['year', '2026-01-01', ['2026-01-01', '2026-01-01', '2025-01-01', '2025-01-01']],
  ] as const)('%s on %s, is %j', (preset, today, expected) => {
    const { period, other } = pairOf(preset, today);
    expect([period.from, period.to, other.from, other.to]).toEqual(expected);
  });

  it('any preset on any day, ends the day before, or on the first day, with valid periods of nearly equal length', () => {
    fc.assert(
      fc.property(fc.constantFrom(...presets), anyDay, (preset, today) => {
        const { period, other } = pairOf(preset, today);
        expect(period.to).toBe(period.from === today ? today : addDays(today, -1));
        for (const day of [period.from, other.from, other.to]) expect(isDay(day)).toBe(true);
        expect(isPeriod(period) && isPeriod(other)).toBe(true);
        const lengths = [period, other].map(({ from, to }) => daysBetween(from, to));
        expect(Math.abs((lengths[0] ?? 0) - (lengths[1] ?? 0))).toBeLessThanOrEqual(3);
      }),
    );
  });
});

describe('compareSearch', () => {
  const days = { from: '2026-05-01', to: '2026-05-07', other_from: '2025-05-01', other_to: '2025-05-07' };

  it('with four days, keeps them as two periods', () => {
    expect(compareSearch({ ...days, preset: 'year' })).toEqual(days);
    expect(pairOfSearch(days, '2026-11-23').other).toEqual({ from: '2025-05-01', to: '2025-05-07' });
  });

  it.each([
    { ...days, to: undefined },
    { ...days, to: '2026-04-30' },
    { ...days, other_from: '2020-01-01' },
    { preset: 'decade' },
  ])('with %j, falls back to the default', (raw) => {
    expect(compareSearch(raw)).toEqual({});
  });
});

describe('changeOf', () => {
  it('two numbers, give the relative change, or undefined if the first period has none', () => {
    expect([changeOf(15, 10), changeOf(5, 10), changeOf(5, 0)]).toEqual([0.5, -0.5, undefined]);
  });
});
