import { sampleZones } from '@birdhub/testing/sample-zones';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayWindow } from './zone.js';
import { hostTimeZone, isTimeZone, offsetMs, offsetSpans } from './zone-offset.js';

const instants = fc.date({
  min: new Date('1990-01-01T00:00:00Z'),
  max: new Date('2040-12-31T00:00:00Z'),
  noInvalidDate: true,
});

/** What the clock on the wall shows, read field by field from Intl, as if it were UTC. */
function wallClock(zone: string, instant: number): number {
  const options = { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' } as const;
  return Date.parse(`${new Intl.DateTimeFormat('sv-SE', options).format(instant).replace(' ', 'T')}Z`);
}

describe('offsetMs', () => {
  it.each([
    ['UTC', '2026-07-01T00:00:00Z', 0],
    ['Europe/London', '2026-03-29T00:59:59.999Z', 0],
    ['Europe/London', '2026-03-29T01:00:00Z', 60],
    ['Australia/Lord_Howe', '2026-01-01T00:00:00Z', 660],
    ['Australia/Lord_Howe', '2026-07-01T00:00:00Z', 630],
    ['Asia/Kathmandu', '2026-01-01T00:00:00Z', 345],
    ['America/St_Johns', '2026-01-01T00:00:00Z', -210],
    ['Africa/Monrovia', '1970-01-01T00:00:00Z', -44.5],
  ])('%s at %s, is %d minutes', (zone, at, minutes) => {
    expect(offsetMs(zone, Date.parse(at))).toBe(minutes * 60_000);
  });

  it('any zone and instant, agrees with the wall clock of Intl', () => {
    fc.assert(
      fc.property(fc.constantFrom(...sampleZones), instants, (zone, date) => {
        const instant = Math.floor(date.getTime() / 1000) * 1000;
        expect(instant + offsetMs(zone, instant)).toBe(wallClock(zone, instant));
      }),
      { numRuns: 1000 },
    );
  });

  it('the hours around every change of a clock, agree with the wall clock of Intl', () => {
    const quarterMs = 900_000;
    for (const zone of sampleZones) {
      for (let at = Date.UTC(2009, 0, 1); at < Date.UTC(2012, 0, 1); at += quarterMs) {
        if (offsetMs(zone, at) === offsetMs(zone, at + quarterMs)) continue;
        for (let second = at; second <= at + quarterMs; second += 30_000) {
          expect(second + offsetMs(zone, second)).toBe(wallClock(zone, second));
        }
      }
    }
  });

  it('a zone that does not exist, is a range error', () => {
    expect(() => offsetMs('Europe/Nowhere', 0)).toThrow(RangeError);
  });
});

describe('isTimeZone', () => {
  it.each([
    'UTC',
    'Europe/London',
    'Europe/Kyiv',
    'America/Argentina/Ushuaia',
    'Etc/GMT+5',
    'EST5EDT',
    'CET',
    'GB',
  ])('%s, a name of IANA, true', (name) => {
    expect(isTimeZone(name)).toBe(true);
  });

  it.each(['BST', 'PST', 'IST', '+02:00', '-0800', 'Europe/Nowhere', 'local', ' UTC', 'CET-1CEST', ''])(
    '%j, no name of IANA, false',
    (name) => {
      expect(isTimeZone(name)).toBe(false);
    },
  );
});

describe('hostTimeZone', () => {
  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    [':Europe/Berlin', 'Europe/Berlin'],
    ['CET-1CEST', 'UTC'],
    ['', 'UTC'],
    [undefined, 'UTC'],
  ])('TZ is %s, gives %s', (tz, expected) => {
    expect(hostTimeZone(tz)).toBe(expected);
  });
});

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
