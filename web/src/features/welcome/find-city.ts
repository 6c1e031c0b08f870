/** A city of the list. */
export interface City {
  readonly name: string;
  /** ISO 3166-1. */
  readonly country: string;
  /** IANA zone. */
  readonly zone: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** Cities by country and zone, each with its name, latitude and longitude. */
export type CityList = Readonly<Record<string, readonly (readonly [string, number, number])[]>>;

/** Loads the list when it is first searched. */
export async function loadCities(): Promise<readonly City[]> {
  const { default: list } = await import('./cities.json');
  return toCities(list as unknown as CityList);
}

/** Returns the cities of a list. */
export function toCities(list: CityList): City[] {
  return Object.entries(list).flatMap(([key, cities]) => {
    const [country = '', zone = ''] = key.split(' ');
    return cities.map(([name, latitude, longitude]) => ({ name, country, zone, latitude, longitude }));
  });
}

/** Returns the cities whose name fits what was typed: those that begin with it first. Accents and case do not matter. */
export function findCities(cities: readonly City[], typed: string, limit = 8): City[] {
  const wanted = fold(typed.trim());
  if (wanted === '') return [];
  const begins = cities.filter(({ name }) => fold(name).startsWith(wanted));
  const has = cities.filter(({ name }) => fold(name).includes(` ${wanted}`));
  return [...new Set([...begins, ...has])].slice(0, limit);
}

/** Returns the first city of a zone: one that stands for it. */
export function cityOfZone(cities: readonly City[], zone: string): City | undefined {
  return cities.find((city) => city.zone === zone);
}

const special: Readonly<Record<string, string>> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', '’': "'" };

function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßłøæ’]/g, (letter) => special[letter] ?? letter);
}
