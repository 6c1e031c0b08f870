import type { Duel } from '../run/run-against.js';
import type { ResultRow } from './result-row.js';
import { shortNumber } from './result-tables.js';
import type { Table } from './table.js';

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the mean of a figure over several runs of a case; NaN when the row is missing in a run. */
function meanOf(
  runs: readonly (readonly ResultRow[])[],
  row: ResultRow,
  figure: 'p50' | 'perSecond',
): number {
  const isSame = (one: ResultRow) => one.title === row.title && one.connections === row.connections;
  return mean(runs.map((rows) => rows.find(isSame)?.load?.[figure] ?? Number.NaN));
}

/** Compares the hub's own rows of both commits; a ratio below 1 means that this commit is faster. */
export function duelTable(duels: readonly Duel[]): Table {
  const lines = duels.flatMap(({ here, there }) =>
    (here[0] ?? [])
      .filter(({ load, processes }) => load && processes)
      .map((row) => {
        const [p50, otherP50] = [meanOf(here, row, 'p50'), meanOf(there, row, 'p50')];
        const [rate, otherRate] = [meanOf(here, row, 'perSecond'), meanOf(there, row, 'perSecond')];
        const figures = [p50, otherP50, p50 / otherP50, rate, otherRate].map(shortNumber);
        return [row.title, String(row.connections ?? ''), ...figures];
      }),
  );
  return [['case', 'conn.', 'p50 here', 'there', 'here/there', 'per s here', 'there'], ...lines];
}
