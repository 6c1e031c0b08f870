import { describe, expect, it } from 'vitest';
import { convert } from './units.js';

describe('convert', () => {
  it.each([
    ['celsius', 21.5, '°C', 21.5],
    ['celsius', 70, '°F', 21.11],
    ['celsius', 32, '°F', 0],
    ['celsius', -40, '°F', -40],
    ['celsius', 0, 'K', -273.15],
    ['celsius', 20, null, 20],
    ['hectopascals', 1013.25, 'hPa', 1013.25],
    ['hectopascals', 1013, 'mbar', 1013],
    ['hectopascals', 29.92, 'inHg', 1013.21],
    ['hectopascals', 760, 'mmHg', 1013.25],
    ['hectopascals', 101_325, 'Pa', 1013.25],
    ['hectopascals', 101.325, 'kPa', 1013.25],
    ['hectopascals', 14.696, 'psi', 1013.25],
    ['hectopascals', 1000, null, 1000],
    ['metresPerSecond', 36, 'km/h', 10],
    ['metresPerSecond', 36, null, 10],
    ['metresPerSecond', 10, 'mph', 4.47],
    ['metresPerSecond', 10, 'mi/h', 4.47],
    ['metresPerSecond', 10, 'kn', 5.14],
    ['metresPerSecond', 10, 'ft/s', 3.05],
    ['metresPerSecond', 10, 'm/s', 10],
  ] as const)('%s of %d %s, is %d', (quantity, value, unit, expected) => {
    expect(convert(quantity, value, unit)).toBe(expected);
  });

  it('a unit that nobody knows, is no value', () => {
    expect(convert('metresPerSecond', 4, 'Beaufort')).toBeNull();
    expect(convert('celsius', 4, 'toString')).toBeNull();
  });

  it('no value, stays none', () => {
    expect(convert('celsius', null, '°F')).toBeNull();
  });
});
