const begin = '<!-- bench:begin -->';
const end = '<!-- bench:end -->';

/** Puts the tables between the marks of a document and leaves the rest as it is. @throws when the marks are missing */
export function replaceTables(document: string, tables: string): string {
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from === -1 || to < from) throw new Error(`the document has no ${begin} followed by ${end}`);
  return `${document.slice(0, from + begin.length)}\n\n${tables}\n\n${document.slice(to)}`;
}
