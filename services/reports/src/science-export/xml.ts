const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text for XML; control characters, which XML 1.0 does not allow, are removed. */
export const xml = (text: string | number): string =>
  String(text)
    .replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '')
    .replace(/[&<>"]/g, (character) => escapes[character] ?? '');
