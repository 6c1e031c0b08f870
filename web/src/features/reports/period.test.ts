import { describe, expect, it } from 'vitest';
import {
  maxPeriodDays,
  monthBefore,
  monthsOf,
  namedPeriods,
  newestPeriod,
  periodFault,
  periodOf,
  windowOf,
} from './period';

describe('monthBefore', () => {
  it.each([
    ['the end of a long month', '2026-03-31', '2026-02'],
    ['January', '2026-01-01', '2025-12'],
  ])('for %s, returns the month before', (_, today, month) => {
    expect(monthBefore(today)).toBe(month);
  });
});

describe('periodOf', () => {
  it.each([
    ['2026-02', '2026-02-01', '2026-02-28'],
    ['2028-02', '2028-02-01', '2028-02-29'],
    ['2026-12', '2026-12-01', '2026-12-31'],
  ])('%s, runs from its first to its last day', (month, from, to) => {
    expect(periodOf(month)).toEqual({ from, to });
  });
});

describe('monthsOf', () => {
  it('days in several months, give these months, newest first', () => {
    expect(monthsOf({ from: '2025-11-30', to: '2026-01-01' })).toEqual(['2026-01', '2025-12', '2025-11']);
  });

  it('days in the wrong order, give none', () => {
    expect(monthsOf({ from: '2026-02-01', to: '2026-01-01' })).toEqual([]);
  });
});

describe('periodFault', () => {
  it.each([
    ['a single day', '2026-05-01', '2026-05-01', undefined],
    ['the longest period', '2026-01-01', '2026-04-03', undefined],
    ['a day more than that', '2026-01-01', '2026-04-04', 'too_long'],
    ['days in the wrong order', '2026-05-02', '2026-05-01', 'backwards'],
    ['an empty field', '', '2026-05-01', 'no_day'],
    ['a day that does not exist', '2026-02-30', '2026-05-01', 'no_day'],
  ])('for %s, returns the fault, if any', (_, from, to, fault) => {
    expect(periodFault({ from, to }, maxPeriodDays.report)).toBe(fault);
  });
});

describe('windowOf', () => {
  it('a month in which the clock goes back, is an hour longer', () => {
    expect(windowOf(periodOf('2026-10'), 'Europe/Berlin')).toEqual({
      start_time: '2026-09-30T22:00:00.000Z',
      end_time: '2026-10-31T23:00:00.000Z',
    });
  });
});

describe('namedPeriods', () => {
  it('on a day in January, return the periods that people expect', () => {
    const on = '2026-01-15';
    expect(namedPeriods.this_month(on)).toEqual({ from: '2026-01-01', to: on });
    expect(namedPeriods.last_month(on)).toEqual({ from: '2025-12-01', to: '2025-12-31' });
    expect(namedPeriods.this_year(on)).toEqual({ from: '2026-01-01', to: on });
    expect(namedPeriods.twelve_months(on)).toEqual({ from: '2025-02-01', to: on });
  });

  it.each(Object.entries(namedPeriods))(
    '%s on the last day of a leap year, is short enough for an export',
    (_, periodAt) => {
      expect(periodFault(periodAt('2028-12-31'), maxPeriodDays.export)).toBeUndefined();
    },
  );
});

describe('newestPeriod', () => {
  it.each([
    ['from last month', '2026-10-31', 'last_month'],
    ['from this month on a new hub', '2026-11-02', 'this_month'],
    ['from some months ago', '2026-03-02', 'twelve_months'],
    ['from years ago', '2020-03-02', 'last_month'],
    ['that is unknown', undefined, 'last_month'],
  ])('with a newest bird %s, returns the period to offer', (_, newest, name) => {
    expect(newestPeriod(newest, '2026-11-22')).toBe(name);
  });
});
