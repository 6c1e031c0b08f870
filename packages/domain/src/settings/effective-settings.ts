import { isTimeZone } from '@birdhub/shared/time';
import { guessRegion, type Place, type Region, regionNames } from '../species/region.js';
import { defaultSettings, isGroup, isKnownList, type Settings } from './schema.js';

/** Returns the stored settings merged over the defaults, group by group. */
export function layOverDefaults(stored: unknown, timezone: string): Settings {
  const defaults: Record<string, unknown> = defaultSettings(timezone);
  if (!isGroup(stored)) return defaults as Settings;
  const merged: Record<string, unknown> = { ...stored };
  for (const [group, values] of Object.entries(defaults)) {
    const own = stored[group];
    if (isKnownList([group])) merged[group] = Array.isArray(own) ? own : values;
    else merged[group] = isGroup(own) && isGroup(values) ? { ...values, ...own } : values;
  }
  return merged as Settings;
}

/**
 * Returns the effective settings: the stored ones merged over the defaults, with `timezone` unless a valid zone is
 * stored, and a guessed region unless one is stored.
 */
export function withDefaults(stored: unknown, timezone: string): Settings {
  const settings = layOverDefaults(stored, timezone);
  const own: unknown = settings.general.timezone;
  const zone = typeof own === 'string' && isTimeZone(own) ? own : timezone;
  const region = storedRegion(stored) ?? guessRegion({ ...storedPlace(stored), timezone: zone });
  return { ...settings, general: { ...settings.general, timezone: zone, region } };
}

function storedRegion(stored: unknown): Region | undefined {
  const general = isGroup(stored) ? stored['general'] : undefined;
  const own = isGroup(general) ? general['region'] : undefined;
  return regionNames.find((region) => region === own);
}

/** Returns the location of the hub, as far as it was set explicitly. */
function storedPlace(stored: unknown): Place {
  const textOf = (group: string, key: string) => {
    const values = isGroup(stored) ? stored[group] : undefined;
    const value = isGroup(values) ? values[key] : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  return {
    latitude: textOf('secrets', 'latitude'),
    longitude: textOf('secrets', 'longitude'),
    country: textOf('ebird', 'country'),
  };
}

/** Returns the name of the hub, as shown to people. */
export function hubName({ general }: Pick<Settings, 'general'>): string {
  return general.app_name || 'Birdhub';
}
