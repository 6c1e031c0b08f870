import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dayNumber,
  dayOfNumber,
  daysBetween,
  formatInstant,
  isDay,
  isMonth,
  nextDay,
  nextMonth,
  parseInstant,
  parseQueryTime,
  previousDay,
} from './calendar.js';

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

const instants = fc.integer({
  min: Date.parse('0001-01-01T00:00:00Z'),
  max: Date.parse('9999-12-31T23:59:59.999Z'),
});

describe('parseInstant', () => {
  it.each([
    ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01t12:00:00z', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01 12:00:00', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00:00', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00:00.1', '2026-03-01T12:00:00.100Z'],
    ['2026-03-01T12:00:00.123456789Z', '2026-03-01T12:00:00.123Z'],
    ['2026-03-01T12:00:00.123500Z', '2026-03-01T12:00:00.124Z'],
    ['2026-12-31T23:59:59.9999Z', '2027-01-01T00:00:00.000Z'],
    ['2026-03-01T00:30:00+02:00', '2026-02-28T22:30:00.000Z'],
    ['2026-03-01T00:30:00+0200', '2026-02-28T22:30:00.000Z'],
    ['2026-03-01T00:30:00-03:30', '2026-03-01T04:00:00.000Z'],
    ['2026-03-01T00:30:00-00:00', '2026-03-01T00:30:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0050-01-01T00:00:00Z', '0050-01-01T00:00:00.000Z'],
  ])('%s, a date-time, %s', (text, expected) => {
    const instant = parseInstant(text);
    expect(instant === undefined ? undefined : formatInstant(instant)).toBe(expected);
  });

  it.each([
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-01T25:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T12:60:00Z',
    '2016-12-31T23:59:60Z',
    '2026-01-01T12:00:00Zjunk',
    '2026-01-01T12:00:00Z\n',
    ' 2026-01-01T12:00:00Z',
    '2026-01-01T12:00:00.Z',
    '2026-01-01T12:00:00.1234567890Z',
    '2026-01-01T12:00:00,5Z',
    '2026-01-01T12:00:00+24:00',
    '2026-01-01T12:00:00+02:60',
    '2026-01-01T12:00:00+02',
    '2026-01-01T12:00Z',
    '2026-01-01',
    '2026-1-1T12:00:00Z',
    '0000-12-31T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '١٢٣٤-01-01T00:00:00Z',
    '1767268800',
    '',
  ])('%j, no date-time, undefined', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it('any instant written in any offset, comes back', () => {
    const offsets = fc.integer({ min: -23 * 60, max: 23 * 60 });
    fc.assert(
      fc.property(instants, offsets, (instant, offset) => {
        const wall = new Date(instant + offset * 60_000).toISOString();
        fc.pre(wall.length === 24 && !wall.startsWith('0000'));
        const size = Math.abs(offset);
        const digits = (value: number) => String(value).padStart(2, '0');
        const zone = `${offset < 0 ? '-' : '+'}${digits(Math.floor(size / 60))}:${digits(size % 60)}`;
        expect(parseInstant(wall.replace('Z', zone))).toBe(instant);
      }),
    );
  });

  it('any text at all, never throws and agrees with Date when it reads it', () => {
    const texts = fc.stringMatching(/^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\dZ$/);
    fc.assert(
      fc.property(fc.oneof(texts, fc.string()), (text) => {
        const instant = parseInstant(text);
        if (instant !== undefined) expect(instant).toBe(Date.parse(text));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('parseQueryTime', () => {
  it.each([
    ['1767268800', 1767268800000],
    ['1767268800.5', 1767268800500],
    ['1767268800.1234567', 1767268800123],
    ['-1.5', -1500],
    ['0', 0],
    ['-0.0001', 0],
    ['2026-01-01T12:00:00Z', 1767268800000],
    ['2026-01-01T14:00:00+02:00', 1767268800000],
    ['2026-01-01T14:00:00 02:00', 1767268800000],
    ['2026-01-01 14:00:00.5 0200', 1767268800500],
    ['2026-01-01 12:00:00', 1767268800000],
  ])('%s, unix seconds or a date-time, %i ms', (text, expected) => {
    expect(parseQueryTime(text)).toBe(expected);
  });

  it.each([
    '',
    '-',
    '+1',
    '1.',
    '.5',
    '1e9',
    '0x10',
    'NaN',
    'Infinity',
    ' 1',
    '1\n',
    '9'.repeat(400),
    '2026-01-01',
    '2026-01-01 02:00',
    '2026-01-01T14:00:00  02:00',
  ])('%j, neither, undefined', (text) => {
    expect(parseQueryTime(text)).toBeUndefined();
  });

  it('any instant in decimal seconds or as formatted, comes back', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        expect(parseQueryTime((instant / 1000).toFixed(3))).toBe(instant);
        expect(parseQueryTime(formatInstant(instant))).toBe(instant);
      }),
    );
  });
});
