import { sampleZones } from '@birdhub/testing/sample-zones';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dayNumber,
  dayOfNumber,
  daysBetween,
  dayWindow,
  dayWindowAt,
  dayWindowAtOffset,
  hostTimeZone,
  isDay,
  isMonth,
  isTimeZone,
  localDay,
  localHour,
  localMonth,
  localStamp,
  monthWindow,
  nextDay,
  nextMonth,
  offsetMs,
  offsetSpans,
  previousDay,
  startOfDay,
} from './time.js';

const days = fc.integer({ min: dayNumber('0001-01-02'), max: dayNumber('9999-12-30') });

describe('isDay', () => {
  it.each(['2024-02-29', '2000-02-29', '0001-01-01', '0099-12-31', '9999-12-31'])(
    '%s, a valid date, returns true',
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
  ])('%j, not a date, returns false', (day) => {
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
  ])('%s, by its form and range, returns %s', (month, expected) => {
    expect(isMonth(month)).toBe(expected);
  });
});

describe('nextDay', () => {
  it.each([
    ['2024-02-28', '2024-02-29'],
    ['2025-02-28', '2025-03-01'],
    ['1999-12-31', '2000-01-01'],
    ['0099-12-31', '0100-01-01'],
  ])('%s, across the ends of months and years, returns %s', (day, next) => {
    expect(nextDay(day)).toBe(next);
    expect(previousDay(next)).toBe(day);
  });

  it('the last day of the calendar, throws', () => {
    expect(() => nextDay('9999-12-31')).toThrow(RangeError);
    expect(() => previousDay('0001-01-01')).toThrow(RangeError);
  });

  it('a text that is not a day, is named in the error', () => {
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
  ])('%s to %s, counted on the calendar, returns %i', (from, to, expected) => {
    expect(daysBetween(from, to)).toBe(expected);
  });
});

describe('nextMonth', () => {
  it.each([
    ['2026-01', '2026-02'],
    ['2024-02', '2024-03'],
    ['2026-12', '2027-01'],
  ])('%s, across the ends of years, returns %s', (month, next) => {
    expect(nextMonth(month)).toBe(next);
  });

  it('a text that is not a month, is named in the error', () => {
    expect(() => nextMonth('2026-13')).toThrow('not a calendar month: 2026-13');
  });
});

const hourMs = 3_600_000;
const anyZone = fc.constantFrom(...sampleZones);
const instants = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2040, 11, 31) });

function everyDay(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = nextDay(day)) days.push(day);
  return days;
}

describe('startOfDay', () => {
  it.each([
    ['Europe/London', '2026-03-29', '2026-03-29T00:00:00Z'],
    ['Europe/London', '2026-03-30', '2026-03-29T23:00:00Z'],
    ['Africa/Cairo', '2024-04-26', '2024-04-25T22:00:00Z'],
    ['America/Sao_Paulo', '2017-10-15', '2017-10-15T03:00:00Z'],
    ['America/Sao_Paulo', '2018-02-18', '2018-02-18T03:00:00Z'],
    ['Asia/Beirut', '2024-03-31', '2024-03-30T22:00:00Z'],
    ['America/St_Johns', '2010-11-07', '2010-11-07T02:30:00Z'],
    ['America/St_Johns', '2010-11-08', '2010-11-08T03:30:00Z'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00Z'],
  ])('%s on %s, is %s', (zone, day, expected) => {
    expect(startOfDay(zone, day)).toBe(Date.parse(expected));
  });

  it('any instant, lies between the start of its day and that of the next', () => {
    fc.assert(
      fc.property(anyZone, instants, (zone, instant) => {
        const day = localDay(zone, instant);
        expect(startOfDay(zone, day)).toBeLessThanOrEqual(instant);
        expect(startOfDay(zone, nextDay(day))).toBeGreaterThan(instant);
      }),
      { numRuns: 2000 },
    );
  });

  it('the start of any day, belongs to it, and the instant before to an earlier day', () => {
    const dates = fc.date({ min: new Date('1990-01-02'), max: new Date('2040-12-30'), noInvalidDate: true });
    fc.assert(
      fc.property(anyZone, dates, (zone, date) => {
        const day = date.toISOString().slice(0, 10);
        const { start, end } = dayWindow(zone, day);
        expect(localDay(zone, start)).toBe(start === end ? nextDay(day) : day);
        expect(localDay(zone, start - 1) < day).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('an invalid day or zone, throws a RangeError', () => {
    expect(() => startOfDay('UTC', '2026-02-30')).toThrow(RangeError);
    expect(() => startOfDay('Europe/Nowhere', '2026-02-20')).toThrow(RangeError);
  });
});

describe('dayWindow', () => {
  it.each(sampleZones)('%s from 1990 to 2040, has consecutive days of a valid length', (zone) => {
    const skipsOneDay = zone === 'Pacific/Apia' || zone === 'Pacific/Kiritimati';
    const lengths = [23, 23.5, 24, 24.5, 25, ...(skipsOneDay ? [0] : [])];
    const wrong: string[] = [];
    let end = startOfDay(zone, '1990-01-01');
    for (const day of everyDay('1990-01-01', '2040-12-31')) {
      const window = dayWindow(zone, day);
      const length = (window.end - window.start) / hourMs;
      if (window.start !== end || !lengths.includes(length)) wrong.push(`${day} ${length} h`);
      end = window.end;
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    ['Europe/London', '2026-03-29', 23],
    ['Europe/London', '2026-10-25', 25],
    ['Australia/Lord_Howe', '2026-04-05', 24.5],
    ['Australia/Lord_Howe', '2026-10-04', 23.5],
    ['America/Sao_Paulo', '2018-02-17', 25],
    ['America/St_Johns', '2010-11-07', 25],
    ['Pacific/Apia', '2011-12-30', 0],
  ])('%s on %s, lasts %d hours', (zone, day, hours) => {
    const { start, end } = dayWindow(zone, day);
    expect((end - start) / hourMs).toBe(hours);
  });
});

describe('localDay', () => {
  it('any instant away from changes over midnight, has the date that Intl returns', () => {
    const steady = fc.constantFrom(
      'Europe/London',
      'America/New_York',
      'Asia/Kathmandu',
      'Pacific/Apia',
      'UTC',
    );
    fc.assert(
      fc.property(steady, instants, (zone, instant) => {
        const written = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(
          instant,
        );
        expect(localDay(zone, instant)).toBe(written);
      }),
      { numRuns: 1000 },
    );
  });

  it('a clock that falls back over midnight, keeps the new day', () => {
    const atMidnight = Date.parse('2010-11-07T02:30:00Z');
    const minutes = [-1, 0, 1, 30, 61].map((minute) =>
      localDay('America/St_Johns', atMidnight + minute * 60_000),
    );
    expect(minutes).toEqual(['2010-11-06', '2010-11-07', '2010-11-07', '2010-11-07', '2010-11-07']);
  });

  it('a skipped date, contains no instant', () => {
    const change = Date.parse('2011-12-30T10:00:00Z');
    expect([localDay('Pacific/Apia', change - 1), localDay('Pacific/Apia', change)]).toEqual([
      '2011-12-29',
      '2011-12-31',
    ]);
  });
});

describe('dayWindowAt', () => {
  it('any instant, is in the window of its day', () => {
    fc.assert(
      fc.property(anyZone, instants, (zone, instant) => {
        const window = dayWindowAt(zone, instant);
        expect(window.start <= instant && instant < window.end).toBe(true);
        expect(dayWindow(zone, window.day)).toEqual(window);
      }),
    );
  });
});

describe('localHour', () => {
  it.each([
    ['Europe/London', '2026-07-01T23:30:00Z', 0],
    ['Asia/Kathmandu', '2026-07-01T18:14:59Z', 23],
    ['Asia/Kathmandu', '2026-07-01T18:15:00Z', 0],
    ['America/New_York', '1969-12-31T23:00:00Z', 18],
  ])('%s at %s, is %i', (zone, at, hour) => {
    expect(localHour(zone, Date.parse(at))).toBe(hour);
  });
});

describe('localMonth', () => {
  it('an instant in the next UTC month, returns the local month', () => {
    expect(localMonth('America/New_York', Date.parse('2026-03-01T02:00:00Z'))).toBe('2026-02');
  });
});

describe('monthWindow', () => {
  it('any month, is the union of its days', () => {
    const months = fc.tuple(fc.integer({ min: 1990, max: 2040 }), fc.integer({ min: 1, max: 12 }));
    fc.assert(
      fc.property(anyZone, months, (zone, [year, number]) => {
        const month = `${year}-${String(number).padStart(2, '0')}`;
        const days = everyDay(`${month}-01`, `${month}-31`).map((day) => dayWindow(zone, day));
        const { start, end } = monthWindow(zone, month);
        expect([start, end]).toEqual([days.at(0)?.start, days.at(-1)?.end]);
        expect(days.reduce((sum, day) => sum + day.end - day.start, 0)).toBe(end - start);
      }),
    );
  });

  it('a text that is not a month, throws a RangeError', () => {
    expect(() => monthWindow('UTC', '2026-13')).toThrow(RangeError);
  });
});

describe('localStamp', () => {
  it.each([
    ['Europe/Prague', '2026-05-02_011530'],
    ['UTC', '2026-05-01_231530'],
    ['Australia/Lord_Howe', '2026-05-02_094530'],
  ])('an instant in %s, is %s', (zone, stamp) => {
    expect(localStamp(zone, Date.parse('2026-05-01T23:15:30.900Z'))).toBe(stamp);
  });
});

describe('dayWindowAtOffset', () => {
  it.each([
    ['2026-03-01T22:00:00Z', -180, '2026-03-02', '2026-03-01T21:00:00Z'],
    ['2026-03-01T03:59:59Z', 240, '2026-02-28', '2026-02-28T04:00:00Z'],
    ['2026-03-01T00:00:00Z', 0, '2026-03-01', '2026-03-01T00:00:00Z'],
  ])('%s at %i minutes behind UTC, is on %s from %s', (at, offset, day, start) => {
    const expected = { day, start: Date.parse(start), end: Date.parse(start) + 24 * hourMs };
    expect(dayWindowAtOffset(Date.parse(at), offset)).toEqual(expected);
  });

  it('any instant and offset, has the instant in its window', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: -840, max: 840 }), (instant, offset) => {
        const { start, end } = dayWindowAtOffset(instant, offset);
        expect(start <= instant && instant < end).toBe(true);
      }),
    );
  });
});

/** The local time, read from Intl, as if it were UTC. */
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

  it('any zone and instant, agrees with the local time of Intl', () => {
    fc.assert(
      fc.property(fc.constantFrom(...sampleZones), instants, (zone, at) => {
        const instant = Math.floor(at / 1000) * 1000;
        expect(instant + offsetMs(zone, instant)).toBe(wallClock(zone, instant));
      }),
      { numRuns: 1000 },
    );
  });

  it('the time around every clock change, agrees with the local time of Intl', () => {
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

  it('an unknown zone, throws a RangeError', () => {
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
  ])('%s, an IANA name, returns true', (name) => {
    expect(isTimeZone(name)).toBe(true);
  });

  it.each(['BST', 'PST', 'IST', '+02:00', '-0800', 'Europe/Nowhere', 'local', ' UTC', 'CET-1CEST', ''])(
    '%j, not an IANA name, returns false',
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
  ])('TZ of %s, returns %s', (tz, expected) => {
    expect(hostTimeZone(tz)).toBe(expected);
  });
});

describe('offsetSpans', () => {
  it('a day without a clock change, is one span', () => {
    const spans = offsetSpans('Asia/Kathmandu', dayWindow('Asia/Kathmandu', '2026-05-01'));
    expect(spans.map((span) => span.offsetMs)).toEqual([5.75 * hourMs]);
  });

  it('a day with a clock change of half an hour, is two spans that meet at the change', () => {
    expect(offsetSpans('Australia/Lord_Howe', dayWindow('Australia/Lord_Howe', '2026-04-05'))).toEqual([
      { start: Date.UTC(2026, 3, 4), offsetMs: 11 * hourMs },
      { start: Date.UTC(2026, 3, 4, 15), offsetMs: 10.5 * hourMs },
    ]);
  });

  it('any instant in any window, has the offset of its span', () => {
    const anyInstant = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) });
    const anyLength = fc.integer({ min: 1, max: 40 * 24 * hourMs });
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
