import { isDeepStrictEqual } from 'node:util';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Named schemas, found wherever they stand inside others. */
export type Components = Map<string, JsonObject>;

function hoist(value: Json, components: Components): Json {
  if (Array.isArray(value)) return value.map((part) => hoist(part, components));
  if (!isObject(value)) return value;
  const { $id, ...rest } = value;
  const schema = Object.fromEntries(
    Object.entries(rest).map(([key, part]) => [key, hoist(part, components)]),
  );
  if (typeof $id !== 'string') return schema;
  const known = components.get($id);
  if (known && !isDeepStrictEqual(known, schema)) throw new Error(`Two schemas share the name ${$id}`);
  components.set($id, schema);
  return { $ref: `${$id}#` };
}

/** Moves every schema with an `$id` to the components and leaves a reference to it. */
export function hoistSchemas(schema: unknown, components: Components): unknown {
  // TypeBox marks schemas with properties that JSON does not show.
  return hoist(JSON.parse(JSON.stringify(schema)) as Json, components);
}

function withoutDefaulted(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutDefaulted);
  if (!isObject(value)) return value;
  const { properties, required } = value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutDefaulted(part)]));
  if (!isObject(properties) || !Array.isArray(required)) return copy;
  const hasDefault = (name: Json) => {
    const property = properties[String(name)];
    return isObject(property) && property['default'] !== undefined;
  };
  return { ...copy, required: required.filter((name) => !hasDefault(name)) };
}

/** What a caller may leave out because it has a default is not required of the caller. */
export function requireOnlyOfCaller(schema: unknown): unknown {
  return withoutDefaulted(JSON.parse(JSON.stringify(schema)) as Json);
}
