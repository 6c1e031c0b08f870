/** Whether a text can be stored and displayed: well-formed Unicode without control characters. */
export function isPlainText(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit === 0x7f) return false;
  }
  return text.isWellFormed();
}

/** Like {@link isPlainText}, but allows line breaks and tabs. */
export function isPlainTextOfLines(text: string): boolean {
  return isPlainText(text.replace(/[\t\n\r]/g, ' '));
}

const visible = /[^\s\p{Cc}\p{Cf}]/u;

/** Whether a text is {@link isPlainText} and not blank. */
export function isName(text: string): boolean {
  return isPlainText(text) && visible.test(text);
}

const maxDepth = 100;

const cleanText = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd');

/**
 * Makes a JSON value storable in PostgreSQL: unsupported characters become U+FFFD, and values nested deeper than a hundred levels
 * become null.
 */
export function toStorable(value: unknown, levels = maxDepth): unknown {
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
