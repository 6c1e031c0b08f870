/** A table whose first line contains the titles. */
export type Table = readonly (readonly string[])[];

const isNumber = (cell: string) => /^[\d.,–-]/.test(cell);

function widthsOf(table: Table): number[] {
  const columns = Math.max(0, ...table.map((line) => line.length));
  return Array.from({ length: columns }, (_, column) =>
    Math.max(...table.map((line) => line[column]?.length ?? 0)),
  );
}

/** Formats a table for a terminal, with aligned columns. */
export function toText(table: Table): string {
  const widths = widthsOf(table);
  const lines = table.map((line) =>
    line
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column > 0 && isNumber(cell) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
  return lines.join('\n');
}

/** Formats a table as Markdown. */
export function toMarkdown(table: Table): string {
  const [titles = [], ...lines] = table;
  const escapeBars = (cell: string) => cell.replaceAll('|', '\\|');
  const toLine = (cells: readonly string[]) => `| ${cells.map(escapeBars).join(' | ')} |`;
  return [toLine(titles), `|${titles.map(() => '---').join('|')}|`, ...lines.map(toLine)].join('\n');
}
