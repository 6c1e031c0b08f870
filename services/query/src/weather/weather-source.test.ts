import { defaultSettings, type Settings } from '@birdhub/domain/settings';
import { describe, expect, it } from 'vitest';
import {
  chooseSource,
  conditionOfState,
  conditionOfWmoCode,
  convert,
  weatherDrivers,
} from './weather-source.js';

const urls = {
  openMeteoUrl: 'https://meteo/v1',
  openweatherApiUrl: 'https://open/data/2.5/',
  ebirdApiUrl: 'https://ebird/v2',
  xenoCantoApiUrl: 'https://xeno/3',
  wikipediaApiUrl: 'https://xeno/3',
};
const place = { latitude: '50.1', longitude: '14.4' };

type Given = { [G in 'weather' | 'homeassistant' | 'secrets' | 'ebird']?: Partial<Settings[G]> };

function choose(given: Given) {
  const settings = structuredClone(defaultSettings('UTC'));
  for (const [group, values] of Object.entries(given)) Object.assign(settings[group as keyof Given], values);
  return chooseSource(settings, urls);
}
const hrefOf = (given: Given) => decodeURIComponent(choose(given)?.request.url.href ?? 'nothing');

describe('chooseSource', () => {
  it('without settings, is undefined', () => {
    expect(choose({})).toBeUndefined();
  });

  it('with a place only, is Open-Meteo', () => {
    const source = choose({ secrets: place });
    expect(source?.name).toBe('open-meteo');
    const url = hrefOf({ secrets: place });
    expect(url).toMatch(
      /^https:\/\/meteo\/v1\/forecast\?latitude=50\.1&longitude=14\.4&current=temperature_2m,/,
    );
    expect(url).toContain('wind_speed_unit=ms');
  });

  it('with the source none and a place, is undefined', () => {
    expect(choose({ weather: { source: 'none' }, secrets: place })).toBeUndefined();
  });

  it.each([
    [
      { ...place, openweather_api_key: 'k' },
      '',
      'https://open/data/2.5/weather?lat=50.1&lon=14.4&appid=k&units=metric',
    ],
    [
      { zip: '10115', openweather_api_key: 'k' },
      'DE',
      'https://open/data/2.5/weather?zip=10115,DE&appid=k&units=metric',
    ],
    [
      { zip: '10115,de', openweather_api_key: 'k' },
      'US',
      'https://open/data/2.5/weather?zip=10115,de&appid=k&units=metric',
    ],
    [
      { zip: '10115', openweather_api_key: 'k' },
      '',
      'https://open/data/2.5/weather?zip=10115&appid=k&units=metric',
    ],
    [{ openweather_api_key: 'k' }, 'DE', 'nothing'],
    [place, 'DE', 'nothing'],
  ])('with OpenWeather and %j, requests by that location', (secrets, country, expected) => {
    expect(hrefOf({ weather: { source: 'openweather' }, secrets, ebird: { country } })).toBe(expected);
  });

  it('with Home Assistant, requests its entity with the token in a header', () => {
    const homeassistant = { url: 'http://ha:8123/', token: 't0ken' };
    const source = choose({ weather: { source: 'homeassistant' }, homeassistant });
    expect(source?.request.url.href).toBe('http://ha:8123/api/states/weather.home');
    expect(source?.request.headers).toEqual({ authorization: 'Bearer t0ken' });
  });

  it.each([
    { url: '', token: 't' },
    { url: 'http://ha', token: '' },
    { url: 'http://[', token: 't' },
  ])('with Home Assistant and %j, is undefined', (homeassistant) => {
    expect(choose({ weather: { source: 'homeassistant' }, homeassistant })).toBeUndefined();
  });

  it('with another place, token or source, has another key, which reveals none of them', () => {
    const homeassistant = { url: 'http://ha', token: 't0ken' };
    const keys = [
      choose({ secrets: place }),
      choose({ secrets: { ...place, latitude: '50.2' } }),
      choose({ weather: { source: 'homeassistant' }, homeassistant }),
      choose({ weather: { source: 'homeassistant' }, homeassistant: { ...homeassistant, token: 'other' } }),
    ].map((source) => source?.key);
    expect(new Set(keys).size).toBe(4);
    expect(choose({ secrets: place })?.key).toBe(keys[0]);
  });
});

const nothing = {
  main: null,
  description: null,
  humidity: null,
  pressure: null,
  clouds: null,
  windSpeed: null,
};

describe('Open-Meteo', () => {
  const { read } = weatherDrivers['open-meteo'];
  const current = {
    time: '2026-05-01T08:00',
    interval: 900,
    temperature_2m: 12.5,
    relative_humidity_2m: 61,
    pressure_msl: 1014.2,
    surface_pressure: 985,
    cloud_cover: 40,
    wind_speed_10m: 3.4,
    weather_code: 61,
  };

  it('a complete response, gives all values', () => {
    expect(read({ current_units: { wind_speed_10m: 'm/s' }, current })).toEqual({
      main: 'Rain',
      description: 'light rain',
      temp: 12.5,
      humidity: 61,
      pressure: 1014.2,
      clouds: 40,
      windSpeed: 3.4,
    });
  });

  it('wind in km/h although m/s was requested, is converted', () => {
    expect(read({ current_units: { wind_speed_10m: 'km/h' }, current })?.windSpeed).toBe(0.94);
  });

  it('a model without some values, has null for them', () => {
    expect(read({ current: { temperature_2m: -3, pressure_msl: null, surface_pressure: 985 } })).toEqual({
      ...nothing,
      temp: -3,
      pressure: 985,
    });
  });
});

describe('OpenWeather', () => {
  const { read } = weatherDrivers.openweather;

  it('a complete response, gives all values', () => {
    const response = {
      weather: [{ id: 803, main: 'Clouds', description: 'broken clouds', icon: '04d' }],
      main: { temp: 7.2, feels_like: 5, pressure: 1021, humidity: 88 },
      wind: { speed: 2.1, deg: 200 },
      clouds: { all: 75 },
      cod: 200,
    };
    expect(read(response)).toEqual({
      main: 'Clouds',
      description: 'broken clouds',
      temp: 7.2,
      humidity: 88,
      pressure: 1021,
      clouds: 75,
      windSpeed: 2.1,
    });
  });

  it('a response with few values, has null for the others', () => {
    expect(read({ main: { temp: 0 }, weather: [] })).toEqual({ ...nothing, temp: 0 });
  });
});

describe('Home Assistant', () => {
  const { read } = weatherDrivers.homeassistant;

  it('units of the United States, are converted', () => {
    const attributes = {
      temperature: 70,
      temperature_unit: '°F',
      humidity: 45,
      cloud_coverage: 30,
      pressure: 29.92,
      pressure_unit: 'inHg',
      wind_speed: 10,
      wind_speed_unit: 'mph',
    };
    expect(read({ entity_id: 'weather.home', state: 'partlycloudy', attributes })).toEqual({
      main: 'Clouds',
      description: 'partly cloudy',
      temp: 21.11,
      humidity: 45,
      pressure: 1013.21,
      clouds: 30,
      windSpeed: 4.47,
    });
  });

  it('an entity with few attributes, has null for the others', () => {
    expect(read({ state: 'sunny', attributes: { temperature: 21.5, wind_speed: 36 } })).toEqual({
      ...nothing,
      main: 'Clear',
      description: 'sunny',
      temp: 21.5,
      windSpeed: 10,
    });
  });
});

describe.each(Object.entries(weatherDrivers))('%s', (_, { read }) => {
  it.each([
    null,
    [],
    'text',
    {},
    { current: [] },
    { current: { temperature_2m: null } },
    { main: 'x', weather: 3 },
    { state: 'unavailable', attributes: {} },
  ])('with the response %j, is undefined', (response) => {
    expect(read(response)).toBeUndefined();
  });
});

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
  ])('%d, gives %s', (code, main, description) => {
    expect(conditionOfWmoCode(code)).toEqual({ main, description });
  });

  it.each([null, 4, -1, 0.5, 100])('%j, is unknown', (code) => {
    expect(conditionOfWmoCode(code)).toEqual({ main: null, description: null });
  });

  it('every code that Open-Meteo documents, has a condition', () => {
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
  ])('%j, gives %s', (state, main, description) => {
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
  ] as const)('%s of %d %s, gives %d', (quantity, value, unit, expected) => {
    expect(convert(quantity, value, unit)).toBe(expected);
  });

  it('an unknown unit, gives null', () => {
    expect(convert('metresPerSecond', 4, 'Beaufort')).toBeNull();
    expect(convert('celsius', 4, 'toString')).toBeNull();
  });

  it('null, stays null', () => {
    expect(convert('celsius', null, '°F')).toBeNull();
  });
});
