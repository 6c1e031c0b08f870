/** Values that the browser did not store: it blocks storage, or its quota is full. They last as long as the page. */
const unstored = new Map<string, string>();

/** Returns a value that this browser keeps; null without one. */
export function readStored(key: string): string | null {
  try {
    return unstored.get(key) ?? localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a value in this browser. */
export function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
    unstored.delete(key);
  } catch {
    unstored.set(key, value);
  }
}

/** Returns the properties of a stored JSON object; none if it is damaged. */
export function parseStored(stored: string | null): object {
  try {
    const value: unknown = JSON.parse(stored ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
