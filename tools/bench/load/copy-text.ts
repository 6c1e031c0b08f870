/** The value of a column. */
export type CopyValue = string | number | null;

const special = /[\\\t\n\r]/g;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function toField(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'number') return String(value);
  return value.replace(special, (character) => escapes[character] ?? character);
}

/** Returns a row in COPY's text format, with its line end. */
export function copyLine(values: readonly CopyValue[]): string {
  return `${values.map(toField).join('\t')}\n`;
}

/** Formats an instant, given in ms since the epoch, for PostgreSQL. */
export function timestamp(at: number): string {
  return new Date(at).toISOString();
}
