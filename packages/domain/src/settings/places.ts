import { escapePointer } from '@birdhub/shared/validation';
import { SettingsSchema } from './settings-schema.js';

/** A place within the settings: keys, and positions in lists. */
export type Path = readonly string[];

const groups: Readonly<Record<string, { readonly properties: object }>> = SettingsSchema.properties;

function propertiesOf(group: string): object | undefined {
  return Object.hasOwn(groups, group) ? groups[group]?.properties : undefined;
}

/** Whether the place is a group that the hub knows, such as `visits`. */
export function isKnownGroup([group = '', ...inside]: Path): boolean {
  return inside.length === 0 && propertiesOf(group) !== undefined;
}

/** Whether the place is a setting that the hub knows, such as `visits.gap_seconds`. */
export function isKnownKey([group = '', key = '', ...inside]: Path): boolean {
  return inside.length === 0 && Object.hasOwn(propertiesOf(group) ?? {}, key);
}

/** The JSON Pointer of a place. */
export function pointerTo(path: Path): string {
  return path.map((key) => `/${escapePointer(key)}`).join('');
}
