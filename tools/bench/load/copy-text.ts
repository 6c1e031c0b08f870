/** What a column of COPY's text format is written from. */
export type CopyValue = string | number | null;

const special = /[\\\t\n\r]/g;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function toField(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'number') return String(value);
  return value.replace(special, (character) => escapes[character] ?? character);
}

/** One row in COPY's text format, with its line end. */
export function copyLine(values: readonly CopyValue[]): string {
  return `${values.map(toField).join('\t')}\n`;
}

/** An instant in ms since the epoch as PostgreSQL reads it. */
export function timestamp(at: number): string {
  return new Date(at).toISOString();
}
