import { compileSchema } from '@birdhub/shared/validation';
import { expect } from 'vitest';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Closes objects with properties and removes schema ids, as each shape is compiled separately. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key]) => key !== '$id');
  const copy = Object.fromEntries(entries.map(([key, value]) => [key, closed(value)]));
  return 'properties' in schema ? { ...copy, additionalProperties: false } : copy;
}

/** Fails unless the value matches the schema of a route exactly, without further properties. */
export function expectShape(schema: object, value: unknown): void {
  const validate = compileSchema(closed(JSON.parse(JSON.stringify(schema)) as Json) as object, 'all');
  validate(value);
  expect(validate.errors ?? []).toEqual([]);
}
