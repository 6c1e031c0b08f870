import { describe, expect, it } from 'vitest';
import { dayStart } from './day-start';

describe('dayStart', () => {
  it.each([
    ['in UTC, is midnight', '2026-10-01', 'UTC', '2026-10-01T00:00:00.000Z'],
    [
      'in summer, is two hours before that of UTC in Berlin',
      '2026-07-01',
      'Europe/Berlin',
      '2026-06-30T22:00:00.000Z',
    ],
    [
      'on the day that summer time begins, is by the clock before',
      '2026-03-29',
      'Europe/Berlin',
      '2026-03-28T23:00:00.000Z',
    ],
    ['on the day after, is by the new clock', '2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    [
      'far to the east, is the evening before',
      '2026-01-01',
      'Pacific/Kiritimati',
      '2025-12-31T10:00:00.000Z',
    ],
    ['with half hours, is one', '2026-07-01', 'Australia/Lord_Howe', '2026-06-30T13:30:00.000Z'],
    [
      'whose midnight is left out, is one o’clock',
      '2018-11-04',
      'America/Sao_Paulo',
      '2018-11-04T03:00:00.000Z',
    ],
  ])('a day %s', (_, day, zone, instant) => {
    expect(dayStart(day, zone).toISOString()).toBe(instant);
  });
});
