const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text within XML; control characters, which XML 1.0 cannot write, are left out. */
export const xml = (text: string | number): string =>
  String(text)
    .replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '')
    .replace(/[&<>"]/g, (character) => escapes[character] ?? '');
