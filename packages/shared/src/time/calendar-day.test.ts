import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dayNumber,
  dayOfNumber,
  daysBetween,
  isDay,
  isMonth,
  nextDay,
  nextMonth,
  previousDay,
} from './calendar-day.js';

const days = fc.integer({ min: dayNumber('0001-01-02'), max: dayNumber('9999-12-30') });

describe('isDay', () => {
  it.each(['2024-02-29', '2000-02-29', '0001-01-01', '0099-12-31', '9999-12-31'])(
    '%s, a real date, true',
    (day) => {
      expect(isDay(day)).toBe(true);
    },
  );

  it.each([
    '2026-02-30',
    '2025-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-1-1',
    '0000-01-01',
    '2026-01-01 ',
    '2026-01-01\n',
    '+002026-01-01',
    '',
  ])('%j, not a date, false', (day) => {
    expect(isDay(day)).toBe(false);
  });
});

describe('isMonth', () => {
  it.each([
    ['2026-12', true],
    ['2026-00', false],
    ['2026-13', false],
    ['0000-01', false],
    ['2026-1', false],
    ['2026-01-01', false],
  ])('%s, by its form and range, %s', (month, expected) => {
    expect(isMonth(month)).toBe(expected);
  });
});

describe('nextDay', () => {
  it.each([
    ['2024-02-28', '2024-02-29'],
    ['2025-02-28', '2025-03-01'],
    ['1999-12-31', '2000-01-01'],
    ['0099-12-31', '0100-01-01'],
  ])('%s, over the ends of months and years, %s', (day, next) => {
    expect(nextDay(day)).toBe(next);
    expect(previousDay(next)).toBe(day);
  });

  it('the last day of the calendar, has none', () => {
    expect(() => nextDay('9999-12-31')).toThrow(RangeError);
    expect(() => previousDay('0001-01-01')).toThrow(RangeError);
  });

  it('a text that is no day, is refused by name', () => {
    expect(() => nextDay('2026-02-30')).toThrow('not a calendar day: 2026-02-30');
  });

  it('any day, sorts as text after it and is one day away', () => {
    fc.assert(
      fc.property(days, (number) => {
        const day = dayOfNumber(number);
        expect(dayNumber(day)).toBe(number);
        expect(nextDay(day) > day).toBe(true);
        expect(previousDay(nextDay(day))).toBe(day);
        expect(daysBetween(day, nextDay(day))).toBe(1);
      }),
    );
  });
});

describe('daysBetween', () => {
  it.each([
    ['2024-01-01', '2025-01-01', 366],
    ['2025-03-01', '2025-02-01', -28],
  ])('%s to %s, counted on the calendar, %i', (from, to, expected) => {
    expect(daysBetween(from, to)).toBe(expected);
  });
});

describe('nextMonth', () => {
  it.each([
    ['2026-01', '2026-02'],
    ['2024-02', '2024-03'],
    ['2026-12', '2027-01'],
  ])('%s, over the ends of years, %s', (month, next) => {
    expect(nextMonth(month)).toBe(next);
  });

  it('a text that is no month, is refused by name', () => {
    expect(() => nextMonth('2026-13')).toThrow('not a calendar month: 2026-13');
  });
});
