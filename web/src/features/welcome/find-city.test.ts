import { describe, expect, test } from 'vitest';
import { writeCities } from '../../../build/city-list';
import { findCities, nearestCity, readCities } from './find-city';

const cities = readCities(writeCities());

describe('the list of cities', () => {
  test('in full, has thousands of cities with valid coordinates and time zones', () => {
    expect(cities.length).toBeGreaterThan(20_000);
    for (const { name, country, latitude, longitude } of cities) {
      expect(name.trim()).toBe(name);
      expect(country).toMatch(/^[A-Z]{2}$/);
      expect(Math.abs(latitude)).toBeLessThanOrEqual(90);
      expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
    }
    for (const zone of new Set(cities.map((city) => city.zone)))
      expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow();
  });

  test.each([
    ['Newport', 'GB', [undefined, 'Portsmouth']],
    ['Blagoveshchensk', 'RU', [undefined, 'Ufa']],
    ['Zheleznogorsk', 'RU', ['Orël', 'Krasnoyarsk']],
    ['Friedberg', 'DE', ['Augsburg', 'Frankfurt am Main']],
    ['Port-au-Prince', 'HT', [undefined]],
  ])(
    'with %s of %s, has those far from each other with the nearest larger city',
    (name, country, landmarks) => {
      const same = cities.filter((city) => city.name === name && city.country === country);
      expect(same.map(({ landmark }) => landmark?.name)).toEqual(landmarks);
    },
  );

  test('with cities of the same name, has no two of them with the same state and larger city', () => {
    const keys = cities.map((city) => [city.name, city.state, city.landmark?.name, city.country].join('\t'));
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('with names in other languages, has all such cities', () => {
    const named = cities.filter(({ names }) => names['ru'] !== undefined || names['fr'] !== undefined);
    expect(named.map(({ name }) => name)).toContain('Vienna');
    expect(named.length).toBeGreaterThan(95);
  });
});

describe('findCities', () => {
  const countries = new Intl.DisplayNames(['en'], { type: 'region' });
  const find = (typed: string) => findCities(cities, typed, (code) => countries.of(code));
  const names = (typed: string) => find(typed).map(({ name }) => name);

  test.each([
    ['munich', 'Munich'],
    ['münchen', 'Munich'],
    ['Мюнхен', 'Munich'],
    ['  KRAKOW ', 'Kraków'],
    ['lodz', 'Łódź'],
    ['dusseldorf', 'Düsseldorf'],
    ['cologne', 'Köln'],
    ['Wien', 'Vienna'],
    ['Genf', 'Genève'],
    ['sao p', 'São Paulo'],
    ['новосибирск', 'Novosibirsk'],
    ['Нижний Нов', 'Nizhniy Novgorod'],
    ['Челябинск', 'Chelyabinsk'],
    ['paris', 'Paris'],
    ['london', 'London'],
    ['berl', 'Berlin'],
    ['buxtehude', 'Buxtehude'],
    ['St Louis', 'St. Louis'],
    ['Saint Louis, MO', 'St. Louis'],
    ['St Petersburg', 'Saint Petersburg'],
    ['Saint Etienne', 'Saint-Étienne'],
    ['St Gallen', 'Sankt Gallen'],
    ['Sault Sainte Marie', 'Sault Ste. Marie'],
    ['Stoke on Trent', 'Stoke-on-Trent'],
    ['Winston Salem', 'Winston-Salem'],
    ['Aix en  Provence', 'Aix-en-Provence'],
    ['Frankfurt Oder', 'Frankfurt (Oder)'],
    ['Muenchen', 'Munich'],
    ['Duesseldorf', 'Düsseldorf'],
    ['Tromsoe', 'Tromsø'],
    ['St. Johns', "St. John's"],
    ['St. John’s', "St. John's"],
    ['Архангельск', 'Arkhangel’sk'],
    ['Washington, D.C.', 'Washington, D.C.'],
    ['Berlin, Germany', 'Berlin'],
    ['Berlin Ger', 'Berlin'],
  ])('%j, finds %s first', (typed, name) => {
    expect(names(typed)[0]).toBe(name);
  });

  test('the second word of a name, finds it', () => {
    expect(names('petersburg')).toContain('Saint Petersburg');
  });

  test('a name of several places, lists the larger first and distinguishes the states', () => {
    const [first, second] = findCities(cities, 'Springfield');
    expect(first?.size).toBeGreaterThanOrEqual(second?.size ?? 0);
    expect(first?.state).not.toBe(second?.state);
  });

  test.each([
    ['Portland, OR', 'US', 'OR'],
    ['Portland OR', 'US', 'OR'],
    ['Portland ME United States', 'US', 'ME'],
    ['Portland, ME, United States', 'US', 'ME'],
    ['Portland, OR, USA', 'US', 'OR'],
    ['Portland, OR, US', 'US', 'OR'],
    ['Portland, OR USA', 'US', 'OR'],
    ['Boston, UK', 'GB', ''],
    ['London, Canada', 'CA', ''],
    ['London CA', 'CA', ''],
  ])('%j, finds only those of that state or country', (typed, country, state) => {
    expect(find(typed)[0]).toMatchObject({ country, state });
    for (const city of find(typed)) expect(city.country).toBe(country);
  });

  test.each([
    ['Friedberg, Frankfurt am Main, Germany', 'Frankfurt am Main'],
    ['Friedberg, Germany, Frankfurt am Main', 'Frankfurt am Main'],
    ['Friedberg, Франкфурт-на-Майне', 'Frankfurt am Main'],
    ['Железногорск, Орёл', 'Orël'],
  ])('%j, finds only the one near that larger city', (typed, landmark) => {
    expect(find(typed).map((city) => city.landmark?.name)).toEqual([landmark]);
  });

  test.each([
    ['Paris, Île-de-France', 'Paris', 'FR'],
    ['Paris, Île-de-France, France', 'Paris', 'FR'],
    ['London, Ontario, Canada', 'London', 'CA'],
  ])('%j, an unknown area after a comma is ignored', (typed, name, country) => {
    expect(find(typed)[0]).toMatchObject({ name, country });
  });

  test.each(['  ', ',', ', Germany', 'xyzzy', 'xyzzy, Germany', 'Berlin xyzzy'])(
    '%j, finds nothing',
    (typed) => {
      expect(names(typed)).toEqual([]);
    },
  );

  test('a single letter, returns no more than the limit', () => {
    expect(findCities(cities, 'b', undefined, 5)).toHaveLength(5);
  });

  test('a place, has its time zone', () => {
    expect(findCities(cities, 'Perth')[0]?.zone).toBe('Australia/Perth');
    expect(findCities(cities, 'Santa Cruz de Tenerife')[0]?.zone).toBe('Atlantic/Canary');
  });
});

describe('nearestCity', () => {
  test.each([
    ['a village near Munich', 48.1, 11.9, 'DE', 'Europe/Berlin'],
    ['a suburb of Sydney', -33.73, 150.99, 'AU', 'Australia/Sydney'],
    ['an island east of the date line', -16.82, -179.99, 'FJ', 'Pacific/Fiji'],
  ])('%s, has the country and the zone of it', (_, latitude, longitude, country, zone) => {
    expect(nearestCity(cities, { latitude, longitude })).toMatchObject({ country, zone });
  });

  test('without cities, is undefined', () => {
    expect(nearestCity([], { latitude: 0, longitude: 0 })).toBeUndefined();
  });
});
