import type { SettingPath } from './setting-groups';

/** All settings by section and key. */
export type SettingsTree = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Values by path. */
export type Draft = Readonly<Partial<Record<SettingPath, unknown>>>;

/** Returns the value of a setting. */
export function settingAt(settings: SettingsTree, path: SettingPath): unknown {
  const [section = '', key = ''] = path.split('.');
  return settings[section]?.[key];
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Returns the values of a draft that differ from the settings. */
export function changesOf(settings: SettingsTree, draft: Draft): Draft {
  const changed = Object.entries(draft).filter(
    ([path, value]) => !isSame(settingAt(settings, path as SettingPath), value),
  );
  return Object.fromEntries(changed);
}

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The hub merges deeply, so removed names are sent as `null`. */
function withRemovals(before: unknown, after: unknown): unknown {
  if (!isMapping(before) || !isMapping(after)) return after;
  const removed = Object.keys(before).filter((name) => !(name in after));
  return { ...after, ...Object.fromEntries(removed.map((name) => [name, null])) };
}

/** Converts changes to the body of a PATCH. */
export function toPatch(settings: SettingsTree, changes: Draft): Record<string, Record<string, unknown>> {
  const patch: Record<string, Record<string, unknown>> = {};
  for (const [path, value] of Object.entries(changes)) {
    const [section = '', key = ''] = path.split('.');
    const part = patch[section] ?? {};
    part[key] = withRemovals(settingAt(settings, path as SettingPath), value);
    patch[section] = part;
  }
  return patch;
}
