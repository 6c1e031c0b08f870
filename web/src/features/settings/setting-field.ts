import type { SettingPath } from './setting-groups';

/** What the contract says of one key of the settings. */
export interface FieldSchema {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly items?: { readonly type: string };
}

/** What the contract says of all settings. */
export interface SettingsSchema {
  readonly properties: Readonly<
    Record<string, { readonly properties: Readonly<Record<string, FieldSchema>> }>
  >;
}

/** How a key is entered. */
export type FieldKind =
  | 'text'
  | 'secret'
  | 'number'
  | 'switch'
  | 'choice'
  | 'zone'
  | 'clock'
  | 'species'
  | 'mapping'
  | 'cameras';

const special: Partial<Record<SettingPath, FieldKind>> = {
  'general.timezone': 'zone',
  'general.notification_excluded_species': 'species',
  'notifications.quiet_hours_start': 'clock',
  'notifications.quiet_hours_end': 'clock',
  'video.cameras': 'cameras',
  'webhook.secret': 'secret',
};
const ofType: Readonly<Record<FieldSchema['type'], FieldKind>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'switch',
  array: 'species',
  object: 'mapping',
};

const units = { seconds: 'seconds', minutes: 'minutes', days: 'days', gb: 'gigabytes' } as const;

/** The unit that a number is in, as the end of its name says. */
export type Unit = (typeof units)[keyof typeof units];

/** A key of the settings as it is shown. */
export interface SettingField {
  readonly path: SettingPath;
  readonly kind: FieldKind;
  readonly unit: Unit | undefined;
  readonly schema: FieldSchema;
}

function unitOf(path: SettingPath): Unit | undefined {
  const end = path.split(/[._]/).at(-1) ?? '';
  return end in units ? units[end as keyof typeof units] : undefined;
}

function kindOf(path: SettingPath, schema: FieldSchema): FieldKind {
  if (/password|token|api_key|private_key/.test(path)) return 'secret';
  return special[path] ?? (schema.enum ? 'choice' : ofType[schema.type]);
}

/** What the contract says of a key. @throws when it does not know it */
export function fieldOf(contract: SettingsSchema, path: SettingPath): SettingField {
  const [section = '', key = ''] = path.split('.');
  const schema = contract.properties[section]?.properties[key];
  if (schema === undefined) throw new Error(`the contract knows no setting ${path}`);
  return { path, kind: kindOf(path, schema), unit: unitOf(path), schema };
}
