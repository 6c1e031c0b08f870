/** The columns of a CSV table in order, with the SQL of their text or null. */
export type Columns = Readonly<Record<string, string>>;

/** Returns the header row of a table. */
export const headerOf = (columns: Columns): string => `${Object.keys(columns).join(',')}\r\n`;

/** SQL: a row of a table as RFC 4180 CSV with a line end. Null values become empty cells. */
export function lineSql(columns: Columns): string {
  const cells = Object.values(columns).map((sql) => `coalesce(${sql}, '')`);
  return `${cells.join(` || ',' || `)} || chr(13) || chr(10)`;
}

/** SQL: a cell of a text that may contain commas, quotes and line ends. */
export const cellSql = (text: string): string =>
  `(CASE WHEN ${text} ~ '[",[:cntrl:]]' THEN '"' || replace(${text}, '"', '""') || '"' ELSE ${text} END)`;

/** SQL: a cell of an untrusted text, neutralised against formula injection. */
export const freeTextSql = (text: string): string =>
  cellSql(`(CASE WHEN ${text} ~ '^[=+@[:cntrl:]-]' THEN '''' ELSE '' END || ${text})`);

/** Neutralises an untrusted text against formula injection. */
export const freeText = (text: string): string => (/^[=+@\p{Cc}-]/u.test(text) ? `'${text}` : text);

/** SQL: an instant in UTC without fractions of a second, which the standards forbid or discourage. */
export const timeSql = (instant: string): string =>
  `to_char(${instant} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** Returns a text as a cell of RFC 4180 CSV. */
export const cell = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: line ends and other control characters need quotes.
  /[",\u0000-\u001f]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Returns a row of CSV with a line end; undefined values become empty cells. */
export const line = (cells: readonly (string | number | boolean | undefined)[]): string =>
  `${cells.map((value) => (value === undefined ? '' : cell(String(value)))).join(',')}\r\n`;
