import { describe, expect, it } from 'vitest';
import { monthsOfYears } from './months-of-years';

describe('monthsOfYears', () => {
  it('a month that has started, includes the current year and lists the newest first', () => {
    expect(monthsOfYears(1, { from: 2024, to: 2026 }, '2026-02-03')).toEqual([
      { year: 2026, from: '2026-02-01', to: '2026-02-28' },
      { year: 2025, from: '2025-02-01', to: '2025-02-28' },
      { year: 2024, from: '2024-02-01', to: '2024-02-29' },
    ]);
  });

  it.each([
    [11, { from: 2024, to: 2026 }, '2026-11-23', [2025, 2024]],
    [10, { from: 2026, to: 2026 }, '2026-11-23', [2026]],
    [11, { from: 2026, to: 2026 }, '2026-11-23', []],
    [1, { from: 2020, to: 2021 }, '2026-11-23', [2021, 2020]],
  ])('month %d of %j, on %s, is of the years %j', (month, years, today, expected) => {
    expect(monthsOfYears(month, years, today).map(({ year }) => year)).toEqual(expected);
  });
});
