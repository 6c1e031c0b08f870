import type { ResultRow, SingleFigure } from '../report/result-row.js';

/** Returns a result of the partitioned tables, compared with that of the plain ones. */
export function compareWithPlain(
  title: string,
  unit: SingleFigure['unit'],
  plain: number,
  divided: number,
): ResultRow {
  const limit = { name: 'plain tables', value: plain, unit, ratio: divided / plain };
  return { title, single: { value: divided, unit }, limit };
}
