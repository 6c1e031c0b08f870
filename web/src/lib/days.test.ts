import { describe, expect, it } from 'vitest';
import {
  addDays,
  addMonths,
  dayFromUrl,
  dayOf,
  daysBetween,
  hourOf,
  instantOfLocalTime,
  isDay,
  localTimeOf,
  monthFromUrl,
  nearestDay,
  startOfDay,
} from './days';

describe('days', () => {
  it.each([
    ['2026-03-29', 1, '2026-03-30'],
    ['2026-10-25', -1, '2026-10-24'],
    ['2024-02-28', 1, '2024-02-29'],
    ['2026-01-01', -1, '2025-12-31'],
  ])('%s plus %i days, is %s', (day, days, expected) => {
    expect(addDays(day, days)).toBe(expected);
    expect(daysBetween(day, expected)).toBe(days);
  });

  it.each([
    ['2026-02-29', false],
    ['2024-02-29', true],
    ['2026-2-1', false],
    [undefined, false],
  ])('%s, is a day: %s', (text, expected) => expect(isDay(text)).toBe(expected));

  it.each([
    ['a day', '2026-02-28', '2026-02-28'],
    ['a day that does not exist', '2026-02-30', undefined],
    ['the first day of year 1', '0001-01-01', undefined],
    ['the last day of year 9999', '9999-12-31', undefined],
    ['a number', 20_260_228, undefined],
    ['several days', ['2026-02-28', '2026-02-27'], undefined],
    ['a word', 'yesterday', undefined],
    ['nothing', undefined, undefined],
  ])('%s in a URL (%s), gives %s', (_, value, day) => expect(dayFromUrl(value)).toBe(day));

  it.each([
    ['2026-02', '2026-02'],
    ['2026-13', undefined],
    ['2026-2', undefined],
    ['0001-01', undefined],
    [202_602, undefined],
  ])('%s in a URL, gives the month %s', (value, month) => expect(monthFromUrl(value)).toBe(month));

  it('months added across a year, change the year', () => {
    expect([addMonths('2026-12', 1), addMonths('2026-01', -13)]).toEqual(['2027-01', '2024-12']);
  });

  it.each([
    ['2026-03-29T00:59:59Z', 'Europe/Berlin', '2026-03-29', 1 + 3599 / 3600],
    ['2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29', 3],
    ['2026-05-04T23:30:00Z', 'Europe/Berlin', '2026-05-05', 1.5],
    ['2026-05-04T23:30:00Z', 'America/St_Johns', '2026-05-04', 21],
    ['2026-05-04T22:00:00Z', 'Europe/Berlin', '2026-05-05', 0],
  ])('the instant %s in %s, is on %s at %d', (instant, zone, day, hour) => {
    expect(dayOf(new Date(instant), zone)).toBe(day);
    expect(hourOf(new Date(instant), zone)).toBeCloseTo(hour, 9);
  });
});

describe('startOfDay', () => {
  it.each([
    ['UTC', '2026-05-04', '2026-05-04T00:00:00.000Z'],
    ['Europe/Berlin', '2026-05-04', '2026-05-03T22:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['Asia/Kolkata', '2026-05-04', '2026-05-03T18:30:00.000Z'],
    ['Pacific/Kiritimati', '2026-05-04', '2026-05-03T10:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-05-04', '2026-05-04T11:00:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00.000Z'],
    // The clock goes from 23:59:59 to 01:00.
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  ])('in %s, %s begins at %s', (zone, day, instant) => {
    expect(startOfDay(day, zone).toISOString()).toBe(instant);
  });
});

const days = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(([date, visits]) => ({ date, visits }));

describe('nearestDay', () => {
  it.each([
    ['a nearer later day', { '2026-04-28': 3, '2026-05-09': 1 }, '2026-05-04', '2026-05-09'],
    ['two equally near days', { '2026-05-02': 1, '2026-05-06': 9 }, '2026-05-04', '2026-05-02'],
    ['a nearer day without visits', { '2026-05-03': 0, '2026-05-01': 2 }, '2026-05-04', '2026-05-01'],
    ['a clock change between', { '2026-03-28': 1, '2026-04-01': 1 }, '2026-03-30', '2026-03-28'],
    ['only the day itself', { '2026-05-04': 5 }, '2026-05-04', undefined],
    ['no days', {}, '2026-05-04', undefined],
  ])('with %s, returns the nearest day with visits', (_case, counts, day, nearest) => {
    expect(nearestDay(day, days(counts))).toBe(nearest);
  });
});

describe('instantOfLocalTime', () => {
  it.each([
    ['in summer', '2026-05-04T08:05', 'Europe/Berlin', '2026-05-04T06:05:00.000Z'],
    ['west of Greenwich', '2026-01-04T23:30', 'America/New_York', '2026-01-05T04:30:00.000Z'],
    ['just after a change to summer time', '2026-03-29T03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['just before it', '2026-03-29T01:59', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
    ['just after a change to winter time', '2026-10-25T03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
  ])('a time %s, converts to its instant and back', (_, local, zone, instant) => {
    const found = instantOfLocalTime(local, zone);
    expect(found.toISOString()).toBe(instant);
    expect(localTimeOf(found, zone)).toBe(local);
  });

  it.each(['', '2026-05-04', '2026-13-01T00:00', 'now'])('%j, gives an invalid date', (local) => {
    expect(instantOfLocalTime(local, 'UTC').getTime()).toBeNaN();
  });
});
