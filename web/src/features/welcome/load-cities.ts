import { type City, readCities } from './find-city';

/** Loads the list of cities when it is first needed; apart from its search, as unit tests have no such list. */
export async function loadCities(): Promise<readonly City[]> {
  const { cities: list } = await import('virtual:cities');
  return readCities(list);
}
