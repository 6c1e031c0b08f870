import type { SettingField } from './setting-field';

/** Why a value cannot be stored, as a key of the texts with what it names. */
export type Objection =
  | { readonly key: 'too_small'; readonly limit: number }
  | { readonly key: 'too_large'; readonly limit: number }
  | { readonly key: 'too_long'; readonly limit: number }
  | { readonly key: 'not_whole' | 'not_number' | 'bad_address' | 'bad_format' };

function checkNumber(value: unknown, { schema }: SettingField): Objection | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return { key: 'not_number' };
  if (schema.type === 'integer' && !Number.isInteger(value)) return { key: 'not_whole' };
  if (schema.minimum !== undefined && value < schema.minimum)
    return { key: 'too_small', limit: schema.minimum };
  if (schema.maximum !== undefined && value > schema.maximum)
    return { key: 'too_large', limit: schema.maximum };
  return undefined;
}

function checkText(value: string, { schema }: SettingField): Objection | undefined {
  const { maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
  if (value.length > maxLength) return { key: 'too_long', limit: maxLength };
  if (pattern === undefined || new RegExp(pattern, 'u').test(value)) return undefined;
  return { key: pattern.includes('https?') ? 'bad_address' : 'bad_format' };
}

/** What the contract has against a value; the hub looks at it once more. */
export function checkValue(field: SettingField, value: unknown): Objection | undefined {
  if (field.kind === 'number') return checkNumber(value, field);
  return typeof value === 'string' ? checkText(value, field) : undefined;
}
