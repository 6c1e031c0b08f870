const escapeMore = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;

/** The `Content-Disposition` of a file to save: RFC 6266, with the whole name as RFC 8187 has it. */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  if (plain === name) return `attachment; filename="${name}"`;
  const extended = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, escapeMore);
  return `attachment; filename="${plain}"; filename*=UTF-8''${extended}`;
}
