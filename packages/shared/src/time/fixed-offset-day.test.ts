import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayWindowAtOffset } from './fixed-offset-day.js';

const HOUR_MS = 3_600_000;
const instants = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2040, 11, 31) });

describe('dayWindowAtOffset', () => {
  it.each([
    ['2026-03-01T22:00:00Z', -180, '2026-03-02', '2026-03-01T21:00:00Z'],
    ['2026-03-01T03:59:59Z', 240, '2026-02-28', '2026-02-28T04:00:00Z'],
    ['2026-03-01T00:00:00Z', 0, '2026-03-01', '2026-03-01T00:00:00Z'],
  ])('%s at %i minutes behind UTC, is on %s from %s', (at, offset, day, start) => {
    const expected = { day, start: Date.parse(start), end: Date.parse(start) + 24 * HOUR_MS };
    expect(dayWindowAtOffset(Date.parse(at), offset)).toEqual(expected);
  });

  it('any instant and offset, holds the instant', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: -840, max: 840 }), (instant, offset) => {
        const { start, end } = dayWindowAtOffset(instant, offset);
        expect(start <= instant && instant < end).toBe(true);
      }),
    );
  });
});
