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
  /** Ratio of the times with ten times the history. */
  readonly growth: number;
  readonly verdict: Verdict;
}

const defaultMaxGrowth = 1.1;

/** Compares the hub's own rows in both runs, without the limits. */
export function compareGrowth(small: Results, large: Results, maxGrowth = defaultMaxGrowth): GrowthRow[] {
  return Object.entries(small.cases).flatMap(([name, rows]) =>
    rows.flatMap((row) => {
      const later = large.cases[name]?.find((one) => isSame(one, row));
      return row.processes?.length && later ? toGrowth(row, later, maxGrowth) : [];
    }),
  );
}

const isSame = (a: ResultRow, b: ResultRow) => a.title === b.title && a.connections === b.connections;

function toGrowth(row: ResultRow, later: ResultRow, maxGrowth: number): GrowthRow[] {
  if (!row.load || !later.load) return [];
  // Posts make the store grow, so their throughput is more meaningful than their latency.
  const isPost = row.title.startsWith('ingest');
  const [small, large] = isPost ? [row.load.perSecond, later.load.perSecond] : [row.load.p50, later.load.p50];
  const growth = isPost ? small / large : large / small;
  const verdict = { goal: `≤ ${maxGrowth} ×`, isReached: growth <= maxGrowth };
  const { title, connections = 1 } = row;
  return [{ title, connections, small, large, unit: isPost ? '/s' : 'ms', growth, verdict }];
}

/** Returns the comparison as a table; `sizes` are the titles of the two stores. */
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
