import { describe, expect, it } from 'vitest';
import { nearestDay } from './nearest-day';

const days = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(([date, visits]) => ({ date, visits }));

describe('nearestDay', () => {
  it.each([
    ['the later one nearer', { '2026-04-28': 3, '2026-05-09': 1 }, '2026-05-04', '2026-05-09'],
    ['two equally near', { '2026-05-02': 1, '2026-05-06': 9 }, '2026-05-04', '2026-05-02'],
    ['the nearer one without visits', { '2026-05-03': 0, '2026-05-01': 2 }, '2026-05-04', '2026-05-01'],
    ['the clock change between', { '2026-03-28': 1, '2026-04-01': 1 }, '2026-03-30', '2026-03-28'],
    ['only the day itself', { '2026-05-04': 5 }, '2026-05-04', undefined],
    ['no day at all', {}, '2026-05-04', undefined],
  ])('%s, is told', (_case, counts, day, nearest) => {
    expect(nearestDay(day, days(counts))).toBe(nearest);
  });
});
