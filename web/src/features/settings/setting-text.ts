import type { ParseKeys, TFunction } from 'i18next';
import type { Objection } from './check-value';
import type { SettingPath } from './setting-groups';

type T = TFunction<'settings'>;

/** A text of a key of the settings. A test holds that all are there. */
export function settingText(t: T, path: SettingPath, part: 'label' | 'help'): string {
  return t(`${path}.${part}` as ParseKeys<'settings'>);
}

/** What a choice is called; the hub's own word where the texts have none. */
export function optionText(t: T, option: string): string {
  return t(`option.${option}` as ParseKeys<'settings'>, { defaultValue: option });
}

/** Secrets by their labels; those that pages do not show by the hub's own names. */
export function secretNames(t: T, names: readonly string[]): string {
  return names.map((name) => t(`${name}.label` as ParseKeys<'settings'>, { defaultValue: name })).join(', ');
}

/** Why a value cannot be stored, in words. */
export function objectionText(t: T, objection: Objection): string {
  return t(objection.key, 'limit' in objection ? { limit: objection.limit } : {});
}

/** Why the hub took no value, in words: what only it can know is told by the place, else in its own words. */
export function refusalText(t: T, path: SettingPath, message: string): string {
  return t(`${path}.refused` as ParseKeys<'settings'>, { defaultValue: message });
}
