import { describe, expect, it } from 'vitest';
import { writeCounted, writeDuration, writeShare, writeTemperature, writeTick } from './write-numbers.js';

describe('numbers in words', () => {
  it.each([
    [0, '0 visits'],
    [1, '1 visit'],
    [12_345, '12,345 visits'],
  ])('%i visits, are %s', (number, text) => {
    expect(writeCounted(number, 'visit')).toBe(text);
  });

  it.each([
    [0, 0, '0.0 %'],
    [1, 3, '33.3 %'],
    [1, 1, '100.0 %'],
    [1, 10_000, '< 0.1 %'],
    [5, 10_000, '0.1 %'],
  ])('%i of %i, are %s', (part, whole, text) => {
    expect(writeShare(part, whole)).toBe(text);
  });

  it.each([
    [0, '0 s'],
    [43_400, '43 s'],
    [99_000, '99 s'],
    [100_000, '2 min'],
    [3_599_000, '1 h'],
    [3_600_000, '1 h'],
    [12_000_000, '3 h 20 min'],
    [4_000_000_000, '1,111 h 7 min'],
  ])('%i ms, are %s', (ms, text) => {
    expect(writeDuration(ms)).toBe(text);
  });

  it.each([
    [-1.46, '−1.5 °C'],
    [-0.04, '0.0 °C'],
    [20, '20.0 °C'],
  ])('%d degrees, are %s', (degrees, text) => {
    expect(writeTemperature(degrees)).toBe(text);
  });

  it('a mark below zero, has a sign as wide as a figure', () => {
    expect(writeTick(-5)).toBe('−5');
  });
});
