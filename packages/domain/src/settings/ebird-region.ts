import type { Settings } from './schema.js';

/** Returns the region of the settings at eBird; undefined when they name no country. */
export function ebirdRegionOf({ ebird }: Pick<Settings, 'ebird'>): string | undefined {
  const country = ebird.country.trim().toUpperCase();
  const state = ebird.state.trim().toUpperCase();
  if (!country) return undefined;
  if (!state) return country;
  return state.startsWith(`${country}-`) ? state : `${country}-${state}`;
}
