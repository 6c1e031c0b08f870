import type { SettingPath } from './setting-groups';

/** Schema of a setting in the contract. */
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

/** Schema of all settings in the contract. */
export interface SettingsSchema {
  readonly properties: Readonly<
    Record<string, { readonly properties?: Readonly<Record<string, FieldSchema>> }>
  >;
}

/** Kind of input. */
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
  | 'cameras'
  | 'channels'
  | 'weekday';

const special: Partial<Record<SettingPath, FieldKind>> = {
  'general.timezone': 'zone',
  'general.notification_excluded_species': 'species',
  'notifications.quiet_hours_start': 'clock',
  'notifications.quiet_hours_end': 'clock',
  'video.cameras': 'cameras',
  'digest.time': 'clock',
  'digest.weekday': 'weekday',
  'digest.channels': 'channels',
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

/** Unit of a number, from the suffix of its name. */
export type Unit = (typeof units)[keyof typeof units];

/** A setting with its kind of input. */
export interface SettingField {
  readonly path: SettingPath;
  readonly kind: FieldKind;
  readonly unit: Unit | undefined;
  readonly schema: FieldSchema;
}

/** Properties of every input of a setting. */
export interface InputProps {
  readonly field: SettingField;
  /** Stored value; masked for secrets. */
  readonly stored: unknown;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly shown: {
    readonly label: string;
    readonly description: string;
    readonly error: string | undefined;
  };
}

function unitOf(path: SettingPath): Unit | undefined {
  const end = path.split(/[._]/).at(-1) ?? '';
  return end in units ? units[end as keyof typeof units] : undefined;
}

function kindOf(path: SettingPath, schema: FieldSchema): FieldKind {
  if (/password|token|api_key|private_key/.test(path)) return 'secret';
  return special[path] ?? (schema.enum ? 'choice' : ofType[schema.type]);
}

/** Looks up a setting in the contract. @throws when it is unknown */
export function fieldOf(contract: SettingsSchema, path: SettingPath): SettingField {
  const [section = '', key = ''] = path.split('.');
  const schema = contract.properties[section]?.properties?.[key];
  if (schema === undefined) throw new Error(`the contract knows no setting ${path}`);
  return { path, kind: kindOf(path, schema), unit: unitOf(path), schema };
}

/** Why a value is invalid: text key and limit. */
export type ValueProblem =
  | { readonly key: 'too_small'; readonly limit: number }
  | { readonly key: 'too_large'; readonly limit: number }
  | { readonly key: 'too_long'; readonly limit: number }
  | { readonly key: 'not_whole' | 'not_number' | 'bad_address' | 'bad_format' };

function checkNumber(value: unknown, { schema }: SettingField): ValueProblem | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return { key: 'not_number' };
  if (schema.type === 'integer' && !Number.isInteger(value)) return { key: 'not_whole' };
  if (schema.minimum !== undefined && value < schema.minimum)
    return { key: 'too_small', limit: schema.minimum };
  if (schema.maximum !== undefined && value > schema.maximum)
    return { key: 'too_large', limit: schema.maximum };
  return undefined;
}

function checkText(value: string, { schema }: SettingField): ValueProblem | undefined {
  const { maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
  if (value.length > maxLength) return { key: 'too_long', limit: maxLength };
  if (pattern === undefined || new RegExp(pattern, 'u').test(value)) return undefined;
  return { key: pattern.includes('https?') ? 'bad_address' : 'bad_format' };
}

/** Validates a value against the contract; the hub validates again. */
export function checkValue(field: SettingField, value: unknown): ValueProblem | undefined {
  if (field.kind === 'number') return checkNumber(value, field);
  return typeof value === 'string' ? checkText(value, field) : undefined;
}

interface Dependency {
  readonly of: SettingPath;
  readonly among: readonly string[];
}

const driven: Dependency = { of: 'feed.source', among: ['mqtt', 'esphome'] };
const byEsphome: Dependency = { of: 'feed.source', among: ['esphome'] };
const byHomeAssistant: Dependency = { of: 'weather.source', among: ['homeassistant'] };

const dependencies: Partial<Record<SettingPath, Dependency>> = {
  'feed.duration_seconds': driven,
  'feed.cooldown_seconds': driven,
  'feed.mqtt_topic': { of: 'feed.source', among: ['mqtt'] },
  'feed.esphome_url': byEsphome,
  'feed.esphome_switch_id': byEsphome,
  'feed.esphome_type': byEsphome,
  'secrets.openweather_api_key': { of: 'weather.source', among: ['openweather'] },
  'homeassistant.url': byHomeAssistant,
  'homeassistant.token': byHomeAssistant,
  'weather.ha_entity_id': byHomeAssistant,
};

/** Whether a setting applies to the current choice it depends on. */
export function isRelevant(path: SettingPath, valueAt: (path: SettingPath) => unknown): boolean {
  const dependency = dependencies[path];
  return dependency === undefined || dependency.among.includes(String(valueAt(dependency.of)));
}
