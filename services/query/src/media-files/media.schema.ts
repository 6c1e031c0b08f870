import { Type } from 'typebox';

const bytes = Type.Unsafe<never>({ type: 'string', format: 'binary' });

/** Returns the responses of a route that sends files of these media types, or ranges of them. */
export function fileResponses(types: readonly string[]) {
  const content = Object.fromEntries(types.map((type) => [type, { schema: bytes }]));
  return {
    200: { description: 'The whole file', content },
    206: { description: 'The requested range', content },
  };
}
