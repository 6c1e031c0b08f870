import { isDeepStrictEqual } from 'node:util';
import { isKnownGroup } from './places.js';
import { isGroup } from './secret-places.js';
import { defaultSettings } from './settings-schema.js';

/** Settings as the database has them: what differs from the defaults, secrets sealed, passwords hashed. */
export type StoredSettings = Readonly<Record<string, unknown>>;

/** Leaves out what is as it is by default, so that a default stays one when all settings are sent back. */
export function withoutDefaults(settings: StoredSettings, timezone: string): StoredSettings {
  const defaults: StoredSettings = defaultSettings(timezone);
  const kept = Object.entries(settings).flatMap(([name, values]) => {
    if (!isKnownGroup([name]) || !isGroup(values)) return [[name, values]];
    const usual = new Map(Object.entries(defaults[name] as object));
    const isUsual = (key: string, value: unknown) =>
      isDeepStrictEqual(value, usual.get(key)) || (key === 'timezone' && value === '');
    const own = Object.entries(values).filter(([key, value]) => !isUsual(key, value));
    return own.length ? [[name, Object.fromEntries(own)]] : [];
  });
  return Object.fromEntries(kept);
}

function changesIn(group: string, before: unknown, after: unknown): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isGroup(before ?? {}) || !isGroup(after ?? {})) return [group];
  const [old, own] = [before, after].map((values) => new Map(Object.entries(values ?? {})));
  const keys = [...new Set([...(old?.keys() ?? []), ...(own?.keys() ?? [])])];
  const changed = keys.filter((key) => !isDeepStrictEqual(old?.get(key), own?.get(key)));
  return changed.length ? changed.map((key) => `${group}.${key}`) : [group];
}

/** The dotted names, `group.key`, of what differs. */
export function changedKeys(before: StoredSettings, after: StoredSettings): string[] {
  const [old, own] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const groups = [...new Set([...old.keys(), ...own.keys()])];
  return groups.flatMap((group) => changesIn(group, old.get(group), own.get(group))).sort();
}
