import { shortNumber } from '../../bench/report/result-tables.js';
import type { Table } from '../../bench/report/table.js';
import { afterWarmUp } from '../verdict/judge-growth.js';
import { dataTables, wholeBytes } from '../verdict/judge-tables.js';
import type { Span } from '../watch/span.js';

const minBytes = 500_000;
const megabytes = (bytes: number) => shortNumber(bytes / 1e6);
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

/** Returns the sizes of the larger tables after the warm-up and at the end, largest first. */
export function sizeTable(spans: readonly Span[]): Table {
  const [before] = afterWarmUp(spans);
  const after = spans.at(-1);
  if (!before || !after) return [];
  const lines = Object.entries(after.tables)
    .sort(([, one], [, other]) => wholeBytes(other) - wholeBytes(one))
    .filter(([, figures]) => wholeBytes(figures) >= minBytes)
    .map(([name, figures]) => {
      const early = before.tables[name];
      const indexBytes = sum(Object.values(figures.indexes));
      return [
        name,
        dataTables.has(name) ? 'data' : '',
        ...(early ? [String(early.rows), megabytes(wholeBytes(early))] : ['', '']),
        ...[String(figures.rows), String(figures.deadRows)],
        ...[megabytes(figures.bytes), megabytes(indexBytes)],
      ];
    });
  return [['table', '', 'rows then', 'MB then', 'rows', 'dead', 'MB', 'indexes MB'], ...lines];
}
