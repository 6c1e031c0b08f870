import { describe, expect, test } from 'vitest';
import cityList from './cities.json';
import { type CityList, cityOfZone, findCities, toCities } from './find-city';

const cities = toCities(cityList as unknown as CityList);

describe('the list of cities', () => {
  test('has some hundred cities, each on earth and in a zone that exists', () => {
    expect(cities.length).toBeGreaterThan(600);
    for (const { name, country, zone, latitude, longitude } of cities) {
      expect(name.trim()).toBe(name);
      expect(country).toMatch(/^[A-Z]{2}$/);
      expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow();
      expect(Math.abs(latitude)).toBeLessThanOrEqual(90);
      expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
    }
  });

  test('of cities with the same name in one country, has one', () => {
    const keys = cities.map(({ name, country }) => `${name} ${country}`);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('findCities', () => {
  const names = (typed: string) => findCities(cities, typed).map(({ name }) => name);

  test.each([
    ['munich', 'Munich'],
    ['  KRAKOW ', 'Kraków'],
    ['lodz', 'Łódź'],
    ['dusseldorf', 'Düsseldorf'],
    ['york', 'York'],
    ['sao p', 'São Paulo'],
  ])('%j, finds %s first', (typed, name) => {
    expect(names(typed)[0]).toBe(name);
  });

  test('the second word of a name, finds it after those that begin so', () => {
    expect(names('york')).toContain('New York');
  });

  test('nothing typed, and what is no city, find nothing', () => {
    expect(names('  ')).toEqual([]);
    expect(names('xyzzy')).toEqual([]);
  });

  test('a letter, finds as many as fit and no more', () => {
    expect(findCities(cities, 'b', 5)).toHaveLength(5);
  });
});

test('cityOfZone, stands for a zone', () => {
  expect(cityOfZone(cities, 'Europe/Berlin')?.name).toBe('Berlin');
  expect(cityOfZone(cities, 'Nowhere/City')).toBeUndefined();
});
