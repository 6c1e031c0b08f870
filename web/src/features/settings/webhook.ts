import { Problem } from '../../api/problem';
import type { components } from '../../api/schema';
import type { SettingsTree } from './setting-values';

/** Fields of a sighting that a pointer selects, most common first. */
export const hookFields = [
  'species_name',
  'scientific_name',
  'time',
  'confidence',
  'camera',
  'image',
  'end_time',
  'count',
  'note',
  'id',
] as const;

/** One of {@link hookFields}. */
export type HookField = (typeof hookFields)[number];

/** A hook of the settings: how a posted body is mapped to a sighting. */
export type Hook = NonNullable<components['schemas']['Settings']['hooks']>[number];

/** A hook without its name; the values of the fields are JSON Pointers. */
export type HookMapping = Omit<Hook, 'name'>;

/** Returns the hooks of the settings. */
export function listHooks(settings: SettingsTree): readonly Hook[] {
  const hooks: unknown = settings['hooks'];
  return Array.isArray(hooks) ? hooks : [];
}

/** Returns the object without empty values. */
export function withoutEmpty<T extends object>(given: T): T {
  const kept = Object.entries(given).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(kept) as T;
}

/** Returns why a name cannot be the last part of a URL. */
export function checkHookName(
  name: string,
  taken: readonly string[],
): 'hooks.name_missing' | 'hooks.name_format' | 'hooks.name_taken' | undefined {
  if (name === '') return 'hooks.name_missing';
  if (!/^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$/.test(name)) return 'hooks.name_format';
  return taken.includes(name) ? 'hooks.name_taken' : undefined;
}

/** Messages of the hub about one hook of the list, by field. */
export function hookRefusals(error: Error | null, position: number): Readonly<Record<string, string>> {
  if (!(error instanceof Problem)) return {};
  const found = error.details.map(({ path, message }) => [path.split('/').slice(1), message] as const);
  const ofHook = found.filter(([[list, index]]) => list === 'hooks' && index === String(position));
  return Object.fromEntries(ofHook.map(([[, , field = ''], message]) => [field, message]));
}

/** Reads an example as JSON. */
export function readExample(
  text: string,
): { readonly example: unknown } | { readonly problem: 'hooks.not_json' } {
  try {
    return { example: JSON.parse(text) as unknown };
  } catch {
    return { problem: 'hooks.not_json' };
  }
}
