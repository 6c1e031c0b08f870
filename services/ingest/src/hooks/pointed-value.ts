/** Returns the parts of a JSON Pointer (RFC 6901). */
function partsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Parses a JSON object or array; undefined for other texts. */
export function parseJsonText(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the value of a JSON Pointer; undefined when there is none. Unlike libraries for pointers it continues inside
 * texts that are JSON, such as the message of a notification.
 */
export function readPointer(value: unknown, pointer: string): unknown {
  return partsOf(pointer).reduce<unknown>((outer, part) => {
    const inner = typeof outer === 'string' ? parseJsonText(outer) : outer;
    if (Array.isArray(inner)) return /^(?:0|[1-9]\d{0,8})$/.test(part) ? inner[Number(part)] : undefined;
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, part)) return undefined;
    return (inner as Record<string, unknown>)[part];
  }, value);
}
