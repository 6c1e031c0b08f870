/** A value of an example with the JSON Pointer (RFC 6901) that leads to it. */
export interface ExampleValue {
  readonly pointer: string;
  /** As text, shortened. */
  readonly text: string;
}

/** A longer list would be too long to choose from. */
const maxValues = 300;
const maxDepth = 12;
const maxTextLength = 60;

const escapePart = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');
const unescapePart = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** Parses JSON inside a text; undefined for any other value. */
function parseInner(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** Returns the JSON inside a text, else the value itself. */
const within = (value: unknown): unknown => parseInner(value) ?? value;

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength - 1)}…` : text;
}

/** Lists the strings, numbers and booleans of an example, including those in strings that contain JSON. */
export function listValues(example: unknown): readonly ExampleValue[] {
  const found: ExampleValue[] = [];
  const visit = (value: unknown, pointer: string, depth: number) => {
    if (found.length >= maxValues || depth > maxDepth || value === null) return;
    const inner = within(value);
    if (typeof inner !== 'object' || inner === null) {
      found.push({ pointer, text: textOf(value) });
      return;
    }
    for (const [key, one] of Object.entries(inner)) visit(one, `${pointer}/${escapePart(key)}`, depth + 1);
  };
  visit(example, '', 0);
  return found;
}

/** Returns the value at a pointer as text; undefined if there is none. */
export function textAt(example: unknown, pointer: string): string | undefined {
  if (pointer !== '' && !pointer.startsWith('/')) return undefined;
  let value = example;
  for (const part of pointer.split('/').slice(1)) {
    const inner = within(value);
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, unescapePart(part)))
      return undefined;
    value = (inner as Record<string, unknown>)[unescapePart(part)];
  }
  return value === undefined ? undefined : textOf(value);
}
