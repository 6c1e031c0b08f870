import { describe, expect, it } from 'vitest';
import { ReportFormat } from './format.js';
import { readPeriod } from './report-period.js';

const hour = 3_600_000;
const english = new ReportFormat('en');

describe('readPeriod', () => {
  it.each([
    ['Europe/London', '2026-03', 31, 31 * 24 - 1],
    ['Europe/London', '2026-10', 31, 31 * 24 + 1],
    ['Australia/Lord_Howe', '2026-04', 30, 30 * 24 + 0.5],
    ['UTC', '2028-02', 29, 29 * 24],
    ['Pacific/Apia', '2011-12', 30, 30 * 24],
  ])('in %s the month %s, has %i days with %d hours in total', (zone, month, days, hours) => {
    const period = readPeriod({ month }, zone, english);
    expect(period.days).toHaveLength(days);
    expect((period.window.end - period.window.start) / hour).toBe(hours);
    expect(period.days[0]?.start).toBe(period.window.start);
    expect(period.days.at(-1)?.end).toBe(period.window.end);
  });

  it('whole days, are named without times', () => {
    const asked = { start_time: '2026-02-28T00:00:00Z', end_time: '2026-03-03T00:00:00Z' };
    expect(readPeriod(asked, 'UTC', english)).toMatchObject({
      title: '28 February – 2 March 2026',
      span: '28 February – 2 March 2026',
      fileName: 'bird_report_20260228-20260302.pdf',
    });
  });

  it('an hour over midnight, has two days and is named with its times', () => {
    const asked = { start_time: '2026-02-28T23:30:00Z', end_time: '2026-03-01T00:30:00Z' };
    const period = readPeriod(asked, 'UTC', english);
    expect(period.days.map(({ day }) => day)).toEqual(['2026-02-28', '2026-03-01']);
    expect(period.span).toBe('28 February 2026, 23:30 – 1 March 2026, 00:30');
  });
});
