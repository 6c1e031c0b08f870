import { sampleZones } from '@birdhub/testing/sample-zones';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { offsetSpans } from './offset-spans.js';
import { dayWindow } from './zone.js';
import { offsetMs } from './zone-offset.js';

const hour = 3_600_000;

describe('offsetSpans', () => {
  it('a day without a change, is one', () => {
    const spans = offsetSpans('Asia/Kathmandu', dayWindow('Asia/Kathmandu', '2026-05-01'));
    expect(spans.map((span) => span.offsetMs)).toEqual([5.75 * hour]);
  });

  it('a day on which the clock is set by half an hour, is two that meet at the change', () => {
    expect(offsetSpans('Australia/Lord_Howe', dayWindow('Australia/Lord_Howe', '2026-04-05'))).toEqual([
      { start: Date.UTC(2026, 3, 4), offsetMs: 11 * hour },
      { start: Date.UTC(2026, 3, 4, 15), offsetMs: 10.5 * hour },
    ]);
  });

  it('any instant of any window, has the offset of the last that started', () => {
    const anyInstant = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) });
    const anyLength = fc.integer({ min: 1, max: 40 * 24 * hour });
    fc.assert(
      fc.property(
        fc.constantFrom(...sampleZones),
        anyInstant,
        anyLength,
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        (zone, start, length, part) => {
          const instant = start + Math.floor(length * part);
          const spans = offsetSpans(zone, { start, end: start + length });
          const last = spans.findLast((span) => span.start <= instant);
          expect(last?.offsetMs).toBe(offsetMs(zone, instant));
        },
      ),
    );
  });
});
