import { defaultSettings, type Settings } from '@birdhub/domain/settings';
import { describe, expect, it } from 'vitest';
import { chooseSource } from './weather-source.js';

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
  it('nothing set, is none', () => {
    expect(choose({})).toBeUndefined();
  });

  it('a place alone, is Open-Meteo', () => {
    const source = choose({ secrets: place });
    expect(source?.name).toBe('open-meteo');
    const url = hrefOf({ secrets: place });
    expect(url).toMatch(
      /^https:\/\/meteo\/v1\/forecast\?latitude=50\.1&longitude=14\.4&current=temperature_2m,/,
    );
    expect(url).toContain('wind_speed_unit=ms');
  });

  it('none, is none also with a place', () => {
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
  ])('OpenWeather with %j, asks by that', (secrets, country, expected) => {
    expect(hrefOf({ weather: { source: 'openweather' }, secrets, ebird: { country } })).toBe(expected);
  });

  it('Home Assistant, asks for its entity with the token in a header', () => {
    const homeassistant = { url: 'http://ha:8123/', token: 't0ken' };
    const source = choose({ weather: { source: 'homeassistant' }, homeassistant });
    expect(source?.request.url.href).toBe('http://ha:8123/api/states/weather.home');
    expect(source?.request.headers).toEqual({ authorization: 'Bearer t0ken' });
  });

  it.each([
    { url: '', token: 't' },
    { url: 'http://ha', token: '' },
    { url: 'http://[', token: 't' },
  ])('Home Assistant with %j, is none', (homeassistant) => {
    expect(choose({ weather: { source: 'homeassistant' }, homeassistant })).toBeUndefined();
  });

  it('another place, token or source, has another key that tells nothing of them', () => {
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
