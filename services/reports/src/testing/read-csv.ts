/** Parses RFC 4180 CSV to rows by column name. @throws when a row has more or fewer cells than the header */
export function readCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === ',' || character === '\n') {
      rows.at(-1)?.push(cell);
      cell = '';
      if (character === '\n') rows.push([]);
    } else if (character !== '\r') cell += character;
  }
  if (isQuoted || cell !== '' || rows.pop()?.length) throw new Error('the last line is not terminated');
  const [header = [], ...body] = rows;
  return body.map((cells, index) => {
    if (cells.length !== header.length)
      throw new Error(`row ${index + 2} has ${cells.length} cells, not ${header.length}`);
    return Object.fromEntries(header.map((name, column) => [name, cells[column] ?? '']));
  });
}
