/** Whether a text can be stored and shown as it is: well-formed Unicode without control characters. */
export function isPlainText(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit === 0x7f) return false;
  }
  return text.isWellFormed();
}

const cleanText = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd');

/** A JSON value that PostgreSQL takes: what it cannot hold in a text stands as U+FFFD. */
export function toStorable(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(toStorable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleanText(key), toStorable(inner)]));
}
