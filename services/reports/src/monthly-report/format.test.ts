import { describe, expect, it } from 'vitest';
import {
  formatCounted,
  formatDays,
  formatDuration,
  formatMoment,
  formatMonth,
  formatShare,
  formatShortMoment,
  formatTemperature,
  formatTick,
} from './format.js';

describe('formatDays', () => {
  it.each([
    ['2026-03-01', '2026-03-01', '1 March 2026'],
    ['2026-03-01', '2026-03-31', '1–31 March 2026'],
    ['2026-02-28', '2026-03-03', '28 February – 3 March 2026'],
    ['2025-12-28', '2026-01-12', '28 December 2025 – 12 January 2026'],
    ['2025-03-01', '2026-03-01', '1 March 2025 – 1 March 2026'],
  ])('%s to %s, is %s', (first, last, text) => {
    expect(formatDays(first, last)).toBe(text);
  });
});

describe('formatMoment, formatShortMoment', () => {
  it('a moment, has day and time in full and in short', () => {
    const moment = { day: '2026-03-05', time: '07:05' };
    expect([formatMoment(moment), formatShortMoment(moment)]).toEqual([
      '5 March 2026, 07:05',
      '5 Mar, 07:05',
    ]);
  });
});

describe('formatMonth', () => {
  it('a month, is its name and year', () => {
    expect(formatMonth('2026-09')).toBe('September 2026');
  });
});

describe('formatCounted', () => {
  it.each([
    [0, '0 visits'],
    [1, '1 visit'],
    [12_345, '12,345 visits'],
  ])('%i, is %s', (count, text) => {
    expect(formatCounted(count, 'visit')).toBe(text);
  });
});

describe('formatShare', () => {
  it.each([
    [0, 0, '0.0 %'],
    [1, 3, '33.3 %'],
    [1, 1, '100.0 %'],
    [1, 10_000, '< 0.1 %'],
    [5, 10_000, '0.1 %'],
  ])('%i of %i, is %s', (part, whole, text) => {
    expect(formatShare(part, whole)).toBe(text);
  });
});

describe('formatDuration', () => {
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
    expect(formatDuration(ms)).toBe(text);
  });
});

describe('formatTemperature', () => {
  it.each([
    [-1.46, '−1.5 °C'],
    [-0.04, '0.0 °C'],
    [20, '20.0 °C'],
  ])('%d degrees, is %s', (degrees, text) => {
    expect(formatTemperature(degrees)).toBe(text);
  });
});

describe('formatTick', () => {
  it('a value below zero, has a minus sign as wide as a digit', () => {
    expect(formatTick(-5)).toBe('−5');
  });
});
