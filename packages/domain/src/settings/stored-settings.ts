import { isDeepStrictEqual } from 'node:util';
import { isKnownGroup } from './places.js';
import { isGroup } from './secret-places.js';
import { defaultSettings } from './settings-schema.js';

/** Settings as the database has them: what someone has set, secrets sealed, passwords hashed. */
export type StoredSettings = Readonly<Record<string, unknown>>;

/**
 * Leaves out what a change has added although it is so by default: all settings sent back as they are shown change
 * nothing, and a default that nobody chose stays one. What was stored before stays, the zone of a host that may move
 * for one. An empty zone is that of the host.
 */
export function withoutAddedDefaults(
  before: StoredSettings,
  after: StoredSettings,
  timezone: string,
): StoredSettings {
  const defaults: StoredSettings = defaultSettings(timezone);
  const kept = Object.entries(after).flatMap(([name, values]) => {
    if (!isKnownGroup([name]) || !isGroup(values)) return [[name, values]];
    const [old, usual] = [before[name] ?? {}, defaults[name] ?? {}].map(
      (group) => new Map(Object.entries(group)),
    );
    const isAdded = (key: string, value: unknown) =>
      !old?.has(key) && isDeepStrictEqual(value, usual?.get(key));
    const isNoZone = (key: string, value: unknown) => key === 'timezone' && value === '';
    const own = Object.entries(values).filter(
      ([key, value]) => !isAdded(key, value) && !isNoZone(key, value),
    );
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
