import type { ResultRow, Results, Verdict } from './result-row.js';
import { shortNumber } from './result-tables.js';
import type { Table } from './table.js';

/** One case at two sizes of the store. */
export interface GrowthRow {
  readonly title: string;
  readonly connections: number;
  /** p50 in ms, or recordings per second. */
  readonly small: number;
  readonly large: number;
  readonly unit: 'ms' | '/s';
  /** How many times longer it takes with ten times the history. */
  readonly growth: number;
  readonly verdict: Verdict;
}

const usualMost = 1.1;

/** Compares the hub's own rows, not the limits, that both runs have; they shall take at most so many times longer. */
export function compareGrowth(small: Results, large: Results, most = usualMost): GrowthRow[] {
  return Object.entries(small.cases).flatMap(([name, rows]) =>
    rows.flatMap((row) => {
      const later = large.cases[name]?.find((one) => isSame(one, row));
      return row.processes?.length && later ? toGrowth(row, later, most) : [];
    }),
  );
}

const isSame = (a: ResultRow, b: ResultRow) => a.title === b.title && a.connections === b.connections;

function toGrowth(row: ResultRow, later: ResultRow, most: number): GrowthRow[] {
  if (!row.load || !later.load) return [];
  // Posts make the store grow: how many can be taken says more than how long one takes.
  const isPost = row.title.startsWith('ingest');
  const [small, large] = isPost ? [row.load.perSecond, later.load.perSecond] : [row.load.p50, later.load.p50];
  const growth = isPost ? small / large : large / small;
  const verdict = { goal: `≤ ${most} ×`, isReached: growth <= most };
  const { title, connections = 1 } = row;
  return [{ title, connections, small, large, unit: isPost ? '/s' : 'ms', growth, verdict }];
}

/** The comparison as a table; `sizes` are those of the two stores. */
export function growthTable(
  rows: readonly GrowthRow[],
  sizes: readonly [string, string] = ['100 k', '1 M'],
): Table {
  const lines = rows.map(({ title, connections, small, large, unit, growth, verdict }) => [
    title,
    String(connections),
    `${shortNumber(small)} ${unit}`,
    `${shortNumber(large)} ${unit}`,
    shortNumber(growth),
    verdict.goal,
    verdict.isReached ? '✓' : '✗',
  ]);
  return [['case', 'conn.', ...sizes, 'growth', 'goal', ''], ...lines];
}
