import { sampleZones } from '@birdhub/testing/sample-zones';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostTimeZone, isTimeZone, offsetMs } from './zone-offset.js';

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
