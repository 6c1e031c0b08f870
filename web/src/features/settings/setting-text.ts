import type { ParseKeys, TFunction } from 'i18next';
import { languages } from '../../i18n/languages';
import type { ValueProblem } from './setting-field';
import type { SettingPath } from './setting-groups';

type T = TFunction<'settings'>;

/** Label or help of a setting; a test checks that all exist. */
export function settingText(t: T, path: SettingPath, part: 'label' | 'help'): string {
  return t(`${path}.${part}` as ParseKeys<'settings'>);
}

/** Text of an option: its translation, the name of a language in that language, or else the value. */
export function optionText(t: T, path: SettingPath, option: string): string {
  const ownName = Object.entries(languages).find(([language]) => language === option)?.[1];
  const keys = [`${path}.${option}`, `option.${option}`] as ParseKeys<'settings'>[];
  return t(keys, { defaultValue: ownName ?? option });
}

/** Labels of secrets; the name for those without a label. */
export function secretNames(t: T, names: readonly string[]): string {
  return names.map((name) => t(`${name}.label` as ParseKeys<'settings'>, { defaultValue: name })).join(', ');
}

/** Message for an invalid value. */
export function valueProblemText(t: T, problem: ValueProblem): string {
  return t(problem.key, 'limit' in problem ? { limit: problem.limit } : {});
}

/** Message for a value that the hub rejected: the setting's own text, or the hub's message. */
export function refusalText(t: T, path: SettingPath, message: string): string {
  return t(`${path}.refused` as ParseKeys<'settings'>, { defaultValue: message });
}
