import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findPeak, findStays, minAbsentDays } from './stays.js';

const year = { first: 1_000, last: 1_364 };
const always = { first: 0, last: 3_000 };
const anyDays = fc
  .uniqueArray(fc.integer({ min: year.first - 60, max: year.last + 60 }), { maxLength: 40 })
  .map((days) => days.sort((one, other) => one - other));

describe('findStays', () => {
  it('a summer guest, arrives and departs', () => {
    expect(findStays([1_100, 1_120, 1_150], year, always)).toEqual([
      { first: 1_100, last: 1_150, arrives: true, departs: true },
    ]);
  });

  it('a winter guest, departs in spring, arrives in autumn and is there over New Year', () => {
    expect(findStays([980, 1_010, 1_050, 1_300, 1_340, 1_370], year, always)).toEqual([
      { first: 1_010, last: 1_050, arrives: false, departs: true },
      { first: 1_300, last: 1_340, arrives: true, departs: false },
    ]);
  });

  it('a hub that has run for a week, has no arrival and no departure', () => {
    expect(findStays([1_100, 1_106], year, { first: 1_100, last: 1_106 })).toEqual([
      { first: 1_100, last: 1_106, arrives: false, departs: false },
    ]);
  });

  it('any days, are in exactly one stay each, and stays have gaps longer than an absence', () => {
    fc.assert(
      fc.property(anyDays, (days) => {
        const stays = findStays(days, year, always);
        const inYear = days.filter((day) => day >= year.first && day <= year.last);
        for (const day of inYear)
          expect(stays.filter(({ first, last }) => first <= day && day <= last)).toHaveLength(1);
        for (const { first, last } of stays) {
          expect(inYear).toContain(first);
          expect(inYear).toContain(last);
        }
        for (const [at, { first }] of stays.slice(1).entries())
          expect(first - (stays[at]?.last ?? 0)).toBeGreaterThan(minAbsentDays);
      }),
    );
  });
});

describe('findPeak', () => {
  it('any days, have no other seven days with more visits, and no earlier ones with as many', () => {
    const anyVisits = anyDays.chain((days) =>
      fc.tuple(
        ...days
          .filter((day) => day >= year.first && day <= year.last)
          .map((day) => fc.integer({ min: 1, max: 9 }).map((visits) => ({ day, visits }))),
      ),
    );
    fc.assert(
      fc.property(anyVisits, (visits) => {
        const peak = findPeak(visits, year);
        const sumFrom = (first: number) =>
          visits
            .filter(({ day }) => day >= first && day < first + 7)
            .reduce((sum, one) => sum + one.visits, 0);
        const sums = visits.map(({ day }) => sumFrom(day));
        expect(peak === undefined).toBe(visits.length === 0);
        if (peak === undefined) return;
        expect(peak.visits).toBe(Math.max(...sums));
        expect(sumFrom(peak.first)).toBe(peak.visits);
        expect(peak.last - peak.first).toBe(6);
        expect(peak.last).toBeLessThanOrEqual(year.last);
      }),
    );
  });
});
