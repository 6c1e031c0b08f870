import { describe, expect, test } from 'vitest';
import { summarizeMonth } from './month-activity';

const day = (date: string, visits: number, totalUptime = 0) => ({
  date,
  visits,
  recordings: 2 * visits,
  totalUptime,
});

describe('summarizeMonth', () => {
  test('days with visits, are as high as they are beside the best', () => {
    const { sum, best, bars } = summarizeMonth([day('2026-05-01', 10), day('2026-05-02', 40)], 'visits');
    expect(sum).toBe(50);
    expect(best).toMatchObject({ date: '2026-05-02', value: 40 });
    expect(bars.map(({ share }) => share)).toEqual([0.25, 1]);
  });

  test('two days that are equally good, name the first', () => {
    const { best } = summarizeMonth([day('2026-05-01', 7), day('2026-05-02', 7)], 'recordings');
    expect(best?.date).toBe('2026-05-01');
  });

  test('hours of the processor, are measured by the length of a day', () => {
    const { bars } = summarizeMonth([day('2026-05-01', 0, 6), day('2026-05-02', 0, 25)], 'totalUptime');
    expect(bars.map(({ share }) => share)).toEqual([0.25, 1]);
  });

  test('a month without anything, has flat bars and no best day', () => {
    const { sum, best, bars } = summarizeMonth([day('2026-05-01', 0)], 'visits');
    expect({ sum, best, shares: bars.map(({ share }) => share) }).toEqual({
      sum: 0,
      best: undefined,
      shares: [0],
    });
  });
});
