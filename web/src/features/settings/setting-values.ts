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

/** The hub merges deeply: only changed names of a mapping are sent, removed ones as `null`. */
function changeOf(before: unknown, after: unknown): unknown {
  if (!isMapping(before) || !isMapping(after)) return after;
  const removed = Object.keys(before).filter((name) => !(name in after));
  const changed = Object.entries(after).filter(([name, value]) => value !== before[name]);
  return Object.fromEntries([...changed, ...removed.map((name) => [name, null])]);
}

/** Converts changes to the body of a PATCH; `before` has the values that were edited. */
export function toPatch(before: Draft, changes: Draft): Record<string, Record<string, unknown>> {
  const patch: Record<string, Record<string, unknown>> = {};
  for (const [path, value] of Object.entries(changes)) {
    const [section = '', key = ''] = path.split('.');
    const part = patch[section] ?? {};
    part[key] = changeOf(before[path as SettingPath], value);
    patch[section] = part;
  }
  return patch;
}
