/** Whether a text can be stored and shown as it is: well-formed Unicode without control characters. */
export function isPlainText(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit === 0x7f) return false;
  }
  return text.isWellFormed();
}

const visible = /[^\s\p{Cc}\p{Cf}]/u;

/** Whether a text is {@link isPlainText} and has something to be seen by. */
export function isName(text: string): boolean {
  return isPlainText(text) && visible.test(text);
}

const deepest = 100;

const cleanText = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd');

/**
 * A JSON value that PostgreSQL takes: what it cannot hold in a text stands as U+FFFD, and null for what lies
 * deeper than a hundred levels, as no reader of it could walk down there.
 */
export function toStorable(value: unknown, levels = deepest): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((inner) => toStorable(inner, levels - 1));
  const entries = Object.entries(value).map(([key, inner]) => [
    cleanText(key),
    toStorable(inner, levels - 1),
  ]);
  return Object.fromEntries(entries);
}
