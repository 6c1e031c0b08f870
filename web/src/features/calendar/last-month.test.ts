import { describe, expect, it } from 'vitest';
import { lastMonth } from './last-month';

describe('lastMonth', () => {
  it.each([
    [10, '2026-11-23', undefined, '2026-11-01', '2026-11-30'],
    [11, '2026-11-23', undefined, '2025-12-01', '2025-12-31'],
    [1, '2024-03-01', undefined, '2024-02-01', '2024-02-29'],
    [1, '2026-03-01', 2024, '2024-02-01', '2024-02-29'],
    [11, '2026-03-01', 2026, '2025-12-01', '2025-12-31'],
  ])('month %d, on %s with last year %s, is %s to %s', (month, today, lastYear, from, to) => {
    expect(lastMonth(month, today, lastYear)).toEqual({ from, to });
  });
});
