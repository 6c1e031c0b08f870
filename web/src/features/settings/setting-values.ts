import type { SettingPath } from './setting-groups';

/** All settings as the hub gives them. */
export type SettingsTree = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Values by the paths of their keys. */
export type Draft = Readonly<Partial<Record<SettingPath, unknown>>>;

/** The value of a key. */
export function settingAt(settings: SettingsTree, path: SettingPath): unknown {
  const [section = '', key = ''] = path.split('.');
  return settings[section]?.[key];
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** What of a draft differs from the settings. */
export function changesOf(settings: SettingsTree, draft: Draft): Draft {
  const changed = Object.entries(draft).filter(
    ([path, value]) => !isSame(settingAt(settings, path as SettingPath), value),
  );
  return Object.fromEntries(changed);
}

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** In a deep merge a name that is gone has to be taken away by `null`. */
function withRemovals(before: unknown, after: unknown): unknown {
  if (!isMapping(before) || !isMapping(after)) return after;
  const gone = Object.keys(before).filter((name) => !(name in after));
  return { ...after, ...Object.fromEntries(gone.map((name) => [name, null])) };
}

/** The part of the settings that says what has changed, in the shape of the whole. */
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
