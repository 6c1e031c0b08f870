/** Replaces the tables between the marks with this name in a document. @throws when the marks are missing */
export function replaceTables(document: string, tables: string, name = 'bench'): string {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from === -1 || to < from) throw new Error(`the document has no ${begin} followed by ${end}`);
  const between = tables === '' ? '\n' : `\n\n${tables}\n\n`;
  return `${document.slice(0, from + begin.length)}${between}${document.slice(to)}`;
}
