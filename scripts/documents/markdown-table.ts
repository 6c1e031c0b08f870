const toCell = (text: string) => text.replaceAll('|', '\\|');
const toRow = (cells: readonly string[]) => `| ${cells.map(toCell).join(' | ')} |`;

/** The first line of every generated page. */
const generatedNote = '<!-- Made by `npm run docs` from the code; edit the code. -->';

/** A table in Markdown. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [toRow(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(toRow)].join('\n');
}

/** A page of the documentation from its parts. */
export function markdownPage(parts: readonly string[]): string {
  return `${[generatedNote, ...parts].join('\n\n')}\n`;
}
