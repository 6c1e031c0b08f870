import { isTimeZone } from '../time/index.js';
import { defaultSettings, type Settings } from './settings-schema.js';

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lays what is stored over the defaults, group by group; `timezone` holds where no zone is stored that there is. */
export function withDefaults(stored: unknown, timezone: string): Settings {
  const defaults: Record<string, unknown> = defaultSettings(timezone);
  if (!isGroup(stored)) return defaults as Settings;
  const merged: Record<string, unknown> = { ...stored };
  for (const [group, values] of Object.entries(defaults)) {
    const own = stored[group];
    merged[group] = isGroup(own) && isGroup(values) ? { ...values, ...own } : values;
  }
  const settings = merged as Settings;
  const own: unknown = settings.general.timezone;
  return typeof own === 'string' && isTimeZone(own)
    ? settings
    : { ...settings, general: { ...settings.general, timezone } };
}
