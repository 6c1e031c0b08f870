import { describe, expect, it } from 'vitest';
import { ReportFormat } from './format.js';

const english = new ReportFormat('en');

describe('days', () => {
  it.each([
    ['2026-03-01', '2026-03-01', '1 March 2026'],
    ['2026-03-01', '2026-03-31', '1–31 March 2026'],
    ['2026-02-28', '2026-03-03', '28 February – 3 March 2026'],
    ['2025-12-28', '2026-01-12', '28 December 2025 – 12 January 2026'],
    ['2025-03-01', '2026-03-01', '1 March 2025 – 1 March 2026'],
  ])('%s to %s, is %s', (first, last, text) => {
    expect(english.days(first, last)).toBe(text);
  });
});

describe('moment, shortMoment', () => {
  it('a moment, has day and time in long and in short', () => {
    const moment = { day: '2026-03-05', time: '07:05' };
    expect([english.moment(moment), english.shortMoment(moment)]).toEqual([
      '5 March 2026, 07:05',
      '5 Mar, 07:05',
    ]);
  });
});

describe('month', () => {
  it('a month, is its name and year', () => {
    expect(english.month('2026-09')).toBe('September 2026');
  });
});

describe('visits', () => {
  it.each([
    [0, '0 visits'],
    [1, '1 visit'],
    [12_345, '12,345 visits'],
  ])('%i, is %s', (count, text) => {
    expect(english.visits(count)).toBe(text);
  });
});

describe('share', () => {
  it.each([
    [0, 0, '0.0%'],
    [1, 3, '33.3%'],
    [1, 1, '100.0%'],
    [1, 10_000, '< 0.1%'],
    [5, 10_000, '0.1%'],
  ])('%i of %i, is %s', (part, whole, text) => {
    expect(english.share(part, whole)).toBe(text);
  });
});

describe('duration', () => {
  it.each([
    [0, '0 s'],
    [43_400, '43 s'],
    [99_000, '99 s'],
    [100_000, '2 min'],
    [3_599_000, '1 h'],
    [3_600_000, '1 h'],
    [12_000_000, '3 h 20 min'],
    [4_000_000_000, '1,111 h 7 min'],
  ])('%i ms, is %s', (ms, text) => {
    expect(english.duration(ms)).toBe(text);
  });
});

describe('temperature', () => {
  it.each([
    [-1.46, '−1.5 °C'],
    [-0.04, '0.0 °C'],
    [20, '20.0 °C'],
  ])('%d degrees, is %s', (degrees, text) => {
    expect(english.temperature(degrees, 'metric')).toBe(text);
  });
});

describe('tick', () => {
  it('a value below zero, has a minus sign as wide as a digit', () => {
    expect(english.tick(-5)).toBe('−5');
  });
});

describe('in other languages', () => {
  it.each([
    ['de', '1.–31. März 2026', '28. Februar – 3. März 2026', 'März 2026'],
    ['ru', '1–31 марта 2026', '28 февраля – 3 марта 2026', 'Март 2026'],
    ['fr', '1–31 mars 2026', '28 février – 3 mars 2026', 'Mars 2026'],
    ['es', '1–31 de marzo de 2026', '28 de febrero – 3 de marzo de 2026', 'Marzo de 2026'],
    ['it', '1–31 marzo 2026', '28 febbraio – 3 marzo 2026', 'Marzo 2026'],
    ['nl', '1–31 maart 2026', '28 februari – 3 maart 2026', 'Maart 2026'],
    ['pl', '1–31 marca 2026', '28 lutego – 3 marca 2026', 'Marzec 2026'],
  ] as const)('%s, has the days %s and %s, and the month %s', (language, inMonth, overMonths, month) => {
    const format = new ReportFormat(language);
    expect(format.days('2026-03-01', '2026-03-31')).toBe(inMonth);
    expect(format.days('2026-02-28', '2026-03-03')).toBe(overMonths);
    expect(format.month('2026-03')).toBe(month);
  });

  it('ru, with a year on both sides, omits the word for year', () => {
    expect(new ReportFormat('ru').days('2025-12-28', '2026-01-12')).toBe('28 декабря 2025 – 12 января 2026');
  });

  it('ru, with numbers, shares and durations, follows the language', () => {
    const format = new ReportFormat('ru');
    expect([format.share(1, 3), format.duration(12_000_000), format.temperature(-1.46, 'metric')]).toEqual([
      '33,3\u00a0%',
      '3 ч 20 мин',
      '−1,5 °C',
    ]);
    expect(format.plural(format.texts.otherSpecies, 21)).toBe('ещё 21 вид');
  });
});
