import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant, formatOffset, parseInstant, parseQueryTime, systemClock } from './time.js';

describe('systemClock', () => {
  it('now, lies between two readings of the host clock', () => {
    const before = Date.now();
    const now = systemClock.now();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
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
  ])('%s, a valid date-time, returns %s', (text, expected) => {
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
  ])('%j, not a date-time, returns undefined', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it('any instant written in any offset, is read back', () => {
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

  it('any text, never throws and agrees with Date if it is valid', () => {
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
  ])('%s, Unix seconds or a date-time, returns %i ms', (text, expected) => {
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
  ])('%j, neither, returns undefined', (text) => {
    expect(parseQueryTime(text)).toBeUndefined();
  });

  it('any instant in decimal seconds or formatted, is read back', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        expect(parseQueryTime((instant / 1000).toFixed(3))).toBe(instant);
        expect(parseQueryTime(formatInstant(instant))).toBe(instant);
      }),
    );
  });
});

describe('formatOffset', () => {
  it.each([
    [0, '+00:00'],
    [2 * 3_600_000, '+02:00'],
    [-3.5 * 3_600_000, '-03:30'],
    [5.75 * 3_600_000, '+05:45'],
  ])('%i ms, is %s', (offset, text) => {
    expect(formatOffset(offset)).toBe(text);
  });
});
