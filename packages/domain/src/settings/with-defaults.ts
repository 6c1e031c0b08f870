import { isTimeZone } from '@birdhub/shared/time';
import { isGroup } from './secret-places.js';
import { defaultSettings, type Settings } from './settings-schema.js';

/** Lays what is stored over the defaults, group by group. */
export function layOverDefaults(stored: unknown, timezone: string): Settings {
  const defaults: Record<string, unknown> = defaultSettings(timezone);
  if (!isGroup(stored)) return defaults as Settings;
  const merged: Record<string, unknown> = { ...stored };
  for (const [group, values] of Object.entries(defaults)) {
    const own = stored[group];
    merged[group] = isGroup(own) && isGroup(values) ? { ...values, ...own } : values;
  }
  return merged as Settings;
}

/** The settings that hold: what is stored over the defaults; `timezone` where no zone is stored that there is. */
export function withDefaults(stored: unknown, timezone: string): Settings {
  const settings = layOverDefaults(stored, timezone);
  const own: unknown = settings.general.timezone;
  if (typeof own === 'string' && isTimeZone(own)) return settings;
  return { ...settings, general: { ...settings.general, timezone } };
}
