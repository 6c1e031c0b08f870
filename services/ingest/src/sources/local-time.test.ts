import { offsetMs } from '@birdhub/shared/time';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RepeatedHour, readWallClock, toInstantInOrder, toInstants } from './local-time.js';

const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC'];
const at = (text: string) => readWallClock(text) ?? Number.NaN;
const iso = (instant: number | undefined) =>
  instant === undefined ? undefined : new Date(instant).toISOString();

describe('readWallClock', () => {
  it.each([
    ['2026-05-01 06:12:03', '2026-05-01T06:12:03.000Z'],
    ['2026-05-01T06:12', '2026-05-01T06:12:00.000Z'],
    ['2024-02-29 23:59:59.123456', '2024-02-29T23:59:59.123Z'],
  ])('%s, is read as if it were UTC', (text, expected) => {
    expect(iso(readWallClock(text))).toBe(expected);
  });

  it.each([
    '0000-00-00 00:00:00',
    '2026-02-30 06:00:00',
    '2026-13-01 00:00:00',
    '2026-05-01 24:00:00',
    '2026-05-01 06:61:00',
    '1969-12-31 00:00:00',
    '2026-05-01',
    ' 2026-05-01 06:12:03',
    'x',
    '',
  ])('"%s", is not a local time', (text) => {
    expect(readWallClock(text)).toBeUndefined();
  });
});

describe('toInstants', () => {
  it.each([
    ['Europe/Berlin', '2026-07-01 12:00:00', '2026-07-01T10:00:00.000Z', undefined],
    ['Europe/Berlin', '2026-10-25 01:59:59', '2026-10-24T23:59:59.000Z', undefined],
    ['Europe/Berlin', '2026-10-25 02:00:00', '2026-10-25T00:00:00.000Z', '2026-10-25T01:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25 02:59:59', '2026-10-25T00:59:59.000Z', '2026-10-25T01:59:59.000Z'],
    ['Europe/Berlin', '2026-10-25 03:00:00', '2026-10-25T02:00:00.000Z', undefined],
    ['Europe/Berlin', '2026-03-29 01:59:59', '2026-03-29T00:59:59.000Z', undefined],
    ['Europe/Berlin', '2026-03-29 02:00:02', '2026-03-29T01:00:02.000Z', undefined],
    ['Europe/Berlin', '2026-03-29 03:00:00', '2026-03-29T01:00:00.000Z', undefined],
    ['America/New_York', '2026-11-01 01:30:00', '2026-11-01T05:30:00.000Z', '2026-11-01T06:30:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-05 01:45:00', '2026-04-04T14:45:00.000Z', '2026-04-04T15:15:00.000Z'],
    ['UTC', '2026-10-25 02:30:00', '2026-10-25T02:30:00.000Z', undefined],
  ])('%s at %s, is %s', (zone, text, first, second) => {
    const instants = toInstants(zone, at(text));
    expect([iso(instants.first), iso(instants.second)]).toEqual([first, second]);
  });

  it('the local time of any instant in any zone, is converted back to it', () => {
    const changes = ['2026-03-29', '2026-10-25', '2026-03-08', '2026-11-01', '2026-04-05', '2026-10-04'].map(
      (day) => Date.parse(`${day}T00:00:00Z`),
    );
    const nearChange = fc
      .tuple(fc.constantFrom(...changes), fc.integer({ min: -86_400, max: 2 * 86_400 }))
      .map(([day, seconds]) => day + seconds * 1000);
    const anyTime = fc.integer({ min: 2 * 86_400, max: 2_000_000_000 }).map((seconds) => seconds * 1000);
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.oneof(nearChange, anyTime), (zone, instant) => {
        // The reference is the local time according to Intl.
        const local = new Intl.DateTimeFormat('sv-SE', {
          timeZone: zone,
          dateStyle: 'short',
          timeStyle: 'medium',
        }).format(instant);
        const { first, second } = toInstants(zone, at(local));
        expect([first, second]).toContain(instant);
        expect(first + offsetMs(zone, first)).toBe(at(local));
      }),
    );
  });
});

describe('toInstantInOrder', () => {
  const readAll = (zone: string, texts: readonly string[]) => {
    let hour: RepeatedHour | undefined;
    return texts.map((text) => {
      const read = toInstantInOrder(zone, at(text), hour);
      hour = read.hour;
      return iso(read.instant)?.slice(11, 16);
    });
  };

  it('rows of a night on which the clock goes back, are resolved by their order', () => {
    const day = (time: string) => `2026-10-25 ${time}:00`;
    const times = ['01:50', '02:10', '02:58', '02:57', '02:02', '02:40', '02:59', '03:01'].map(day);
    expect(readAll('Europe/Berlin', times)).toEqual([
      '23:50',
      '00:10',
      '00:58',
      '00:57',
      '01:02',
      '01:40',
      '01:59',
      '02:01',
    ]);
  });

  it('rows of two microphones, a minute out of order, do not count as the clock going back', () => {
    const times = ['02:10:00', '02:09:10', '02:10:15', '02:05:00'].map((time) => `2026-10-25 ${time}`);
    expect(readAll('Europe/Berlin', times)).toEqual(['00:10', '00:09', '00:10', '00:05']);
  });

  it('the repeated hours of two years, are both resolved', () => {
    const times = ['2025-10-26 02:50:00', '2025-10-26 02:10:00', '2026-10-25 02:20:00'];
    expect(readAll('Europe/Berlin', times)).toEqual(['00:50', '01:10', '00:20']);
  });

  it('birds at least every 20 minutes through the change, get their own instants back', () => {
    const change = Date.parse('2026-10-25T01:00:00Z');
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 20 * 60 }), { minLength: 30, maxLength: 60 }),
        (gaps) => {
          let instant = change - 5 * 3_600_000;
          const instants = gaps.map((gap) => {
            instant += gap * 1000;
            return instant;
          });
          let hour: RepeatedHour | undefined;
          const read = instants.map((one) => {
            const wall = one + offsetMs('Europe/Berlin', one);
            const result = toInstantInOrder('Europe/Berlin', wall, hour);
            hour = result.hour;
            return result.instant;
          });
          expect(read).toEqual(instants);
        },
      ),
    );
  });
});
