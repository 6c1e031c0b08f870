import { describe, expect, it } from 'vitest';
import { conditionOfState, conditionOfWmoCode, convert } from './weather-readings.js';

describe('conditionOfWmoCode', () => {
  it.each([
    [0, 'Clear', 'clear sky'],
    [3, 'Clouds', 'overcast'],
    [45, 'Fog', 'fog'],
    [56, 'Drizzle', 'light freezing drizzle'],
    [67, 'Rain', 'heavy freezing rain'],
    [77, 'Snow', 'snow grains'],
    [82, 'Rain', 'violent showers'],
    [86, 'Snow', 'heavy snow showers'],
    [99, 'Thunderstorm', 'thunderstorm with heavy hail'],
  ])('%d, is %s', (code, main, description) => {
    expect(conditionOfWmoCode(code)).toEqual({ main, description });
  });

  it.each([null, 4, -1, 0.5, 100])('%j, is not known', (code) => {
    expect(conditionOfWmoCode(code)).toEqual({ main: null, description: null });
  });

  it('every code that Open-Meteo documents, is known', () => {
    const codes = [
      0, 1, 2, 3, 45, 48, 51, 53, 55, 56, 57, 61, 63, 65, 66, 67, 71, 73, 75, 77, 80, 81, 82, 85, 86,
    ];
    for (const code of [...codes, 95, 96, 99]) expect(conditionOfWmoCode(code).main).not.toBeNull();
  });
});

describe('conditionOfState', () => {
  it.each([
    ['sunny', 'Clear', 'sunny'],
    ['partlycloudy', 'Clouds', 'partly cloudy'],
    ['lightning-rainy', 'Thunderstorm', 'thunderstorm with rain'],
    ['dust', null, 'dust'],
    ['constructor', null, 'constructor'],
    [null, null, null],
  ])('%j, is %s', (state, main, description) => {
    expect(conditionOfState(state)).toEqual({ main, description });
  });
});

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
