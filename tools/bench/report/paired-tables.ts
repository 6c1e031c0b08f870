import { mean } from '../run/quantile.js';
import type { PairedResults } from '../run/run-against.js';
import type { ResultRow } from './result-row.js';
import { shortNumber } from './result-tables.js';
import type { Table } from './table.js';

/** Returns the means of a figure of a row here and there; NaN when the row is missing in a run. */
function compare(
  { here, there }: PairedResults,
  row: ResultRow,
  figure: (row: ResultRow) => number | undefined,
) {
  const isSame = (one: ResultRow) => one.title === row.title && one.connections === row.connections;
  const find = (rows: readonly ResultRow[]) => {
    const found = rows.find(isSame);
    return (found && figure(found)) ?? Number.NaN;
  };
  return [mean(here.map(find)), mean(there.map(find))] as const;
}

/** Compares the loads of both commits, without limits; a ratio below 1 means that this commit is faster. */
export function pairedLoadTable(pair: PairedResults): Table {
  const lines = (pair.here[0] ?? [])
    .filter(({ load, processes }) => load && processes)
    .map((row) => {
      const [p50, otherP50] = compare(pair, row, ({ load }) => load?.p50);
      const [rate, otherRate] = compare(pair, row, ({ load }) => load?.perSecond);
      const figures = [p50, otherP50, p50 / otherP50, rate, otherRate].map(shortNumber);
      return [row.title, String(row.connections ?? ''), ...figures];
    });
  return [['case', 'conn.', 'p50 here', 'there', 'here/there', 'per s here', 'there'], ...lines];
}

/** Compares the single results of both commits, such as start times and memory. */
export function pairedSingleTable(pair: PairedResults): Table {
  const lines = (pair.here[0] ?? []).flatMap((row) => {
    if (!row.single) return [];
    const [here, there] = compare(pair, row, ({ single }) => single?.value);
    return [[`${row.title} ${row.single.unit}`.trim(), ...[here, there, here / there].map(shortNumber)]];
  });
  return [['case', 'here', 'there', 'here/there'], ...lines];
}
