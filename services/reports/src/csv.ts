/** The columns of a CSV table in order, each with the SQL of its text or null. */
export type Columns = Readonly<Record<string, string>>;

/** The header row of a table. */
export const headerOf = (columns: Columns): string => `${Object.keys(columns).join(',')}\r\n`;

/** SQL: a row of a table as RFC 4180 CSV, with its line end. Missing values are empty cells. */
export function lineSql(columns: Columns): string {
  const cells = Object.values(columns).map((sql) => `coalesce(${sql}, '')`);
  return `${cells.join(` || ',' || `)} || chr(13) || chr(10)`;
}

/** SQL: a text that may hold commas, quotes and line ends as a cell. */
export const cellSql = (text: string): string =>
  `(CASE WHEN ${text} ~ '[",[:cntrl:]]' THEN '"' || replace(${text}, '"', '""') || '"' ELSE ${text} END)`;

/** SQL: a text that people or detectors wrote as a cell that no spreadsheet takes for a formula. */
export const freeTextSql = (text: string): string =>
  cellSql(`(CASE WHEN ${text} ~ '^[=+@[:cntrl:]-]' THEN '''' ELSE '' END || ${text})`);

/** The same for a text that is at hand. */
export const freeText = (text: string): string => (/^[=+@\p{Cc}-]/u.test(text) ? `'${text}` : text);

/** SQL: an instant in UTC without fractions of a second, which both standards forbid or advise against. */
export const timeSql = (instant: string): string =>
  `to_char(${instant} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** A text as a cell of RFC 4180 CSV. */
export const cell = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: line ends and other control characters need quotes.
  /[",\u0000-\u001f]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** A row of CSV with its line end; missing values are empty cells. */
export const line = (cells: readonly (string | number | boolean | undefined)[]): string =>
  `${cells.map((value) => (value === undefined ? '' : cell(String(value)))).join(',')}\r\n`;
