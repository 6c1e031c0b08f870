import type { TObject } from 'typebox';

/** The defaults that the schema of an object and of the objects in it declares. */
export function defaultsOf(schema: TObject): Record<string, unknown> {
  const entries = Object.entries(schema.properties).map(([key, property]) => {
    const { type, default: value } = property as { type?: string; default?: unknown };
    const isGroup = type === 'object' && value === undefined;
    return [key, isGroup ? defaultsOf(property as TObject) : value];
  });
  return Object.fromEntries(entries);
}
