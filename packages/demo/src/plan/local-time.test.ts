import { describe, expect, it } from 'vitest';
import { addDays, lastDates, localTimeIn } from './local-time.js';

const at = (text: string) => Date.parse(text);

describe('localTimeIn', () => {
  it('date and clock in a zone ahead of UTC, are those of the zone', () => {
    const time = localTimeIn('Europe/Berlin');
    expect(time.dateOf(at('2026-11-20T23:15:02Z'))).toBe('2026-11-21');
    expect(time.clockOf(at('2026-11-20T23:15:02Z'))).toBe('001502');
  });

  it.each([
    ['UTC', '2026-11-21', '2026-11-21T00:00:00Z'],
    ['Europe/Berlin', '2026-11-21', '2026-11-20T23:00:00Z'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00Z'],
    ['America/New_York', '2026-03-09', '2026-03-09T04:00:00Z'],
    ['Pacific/Kiritimati', '2026-11-21', '2026-11-20T10:00:00Z'],
    ['Australia/Lord_Howe', '2026-10-05', '2026-10-04T13:00:00Z'],
  ])('startOf, in %s for %s, is the first instant of the date', (zone, date, start) => {
    expect(new Date(localTimeIn(zone).startOf(date)).toISOString()).toBe(new Date(start).toISOString());
  });

  it('startOf, where the clock skips midnight, is one o’clock', () => {
    const time = localTimeIn('Asia/Beirut');
    expect(time.clockOf(time.startOf('2026-03-29'))).toBe('010000');
  });

  it('offsetHours, with a zone offset of half hours, is exact', () => {
    expect(localTimeIn('Asia/Kolkata').offsetHours(at('2026-01-01T00:00:00Z'))).toBe(5.5);
    expect(localTimeIn('America/New_York').offsetHours(at('2026-01-01T00:00:00Z'))).toBe(-5);
  });

  it('offsetHours, in the middle of a minute, is exact', () => {
    expect(localTimeIn('Europe/Berlin').offsetHours(at('2026-01-01T00:00:41.5Z'))).toBe(1);
  });

  it('an unknown zone, is refused', () => {
    expect(() => localTimeIn('Mars/Base')).toThrow(RangeError);
  });
});

describe('dates', () => {
  it('addDays, across the end of a month or a year, follows the calendar', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
  });

  it('lastDates, across a clock change, are consecutive and end today', () => {
    const time = localTimeIn('Europe/Berlin');
    const dates = lastDates(time, at('2026-10-26T00:30:00+01:00'), 3);
    expect(dates).toEqual(['2026-10-24', '2026-10-25', '2026-10-26']);
  });
});
