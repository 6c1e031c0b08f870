import { describe, expect, it } from 'vitest';
import { writeDays, writeMoment, writeMonth, writeShortMoment } from './write-dates.js';

describe('writeDays', () => {
  it.each([
    ['2026-03-01', '2026-03-01', '1 March 2026'],
    ['2026-03-01', '2026-03-31', '1–31 March 2026'],
    ['2026-02-28', '2026-03-03', '28 February – 3 March 2026'],
    ['2025-12-28', '2026-01-12', '28 December 2025 – 12 January 2026'],
    ['2025-03-01', '2026-03-01', '1 March 2025 – 1 March 2026'],
  ])('%s to %s, is %s', (first, last, words) => {
    expect(writeDays(first, last)).toBe(words);
  });
});

describe('the words of a moment', () => {
  it('in full and in short, have day and time', () => {
    const moment = { day: '2026-03-05', time: '07:05' };
    expect([writeMoment(moment), writeShortMoment(moment)]).toEqual(['5 March 2026, 07:05', '5 Mar, 07:05']);
  });

  it('of a month, are its name and year', () => {
    expect(writeMonth('2026-09')).toBe('September 2026');
  });
});
