import { describe, expect, it } from 'vitest';
import { conditionOfState, conditionOfWmoCode } from './conditions.js';

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
