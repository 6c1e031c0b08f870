import type { ResultRow, Results } from './result-row.js';
import type { Table } from './table.js';

/** Formats a number with three significant digits, without an exponent. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return String(Math.round(value));
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
}

const none = '';
const orNone = (value: number | undefined) => (value === undefined ? none : shortNumber(value));
const megabytes = (bytes: number) => String(Math.round(bytes / 1e6));

function verdictCells({ limit, verdict }: ResultRow): string[] {
  const against = limit ? `${limit.name}: ${shortNumber(limit.value)} ${limit.unit}` : none;
  return [
    against,
    orNone(limit?.ratio),
    verdict?.goal ?? none,
    verdict ? (verdict.isReached ? '✓' : '✗') : none,
  ];
}

function loadLine(row: ResultRow): string[] {
  const { title, connections, load } = row;
  const latencies = [load?.p50, load?.p975, load?.p99, load?.perSecond].map(orNone);
  return [
    title,
    String(connections ?? none),
    ...latencies,
    String(load?.bytes ?? none),
    ...verdictCells(row),
  ];
}

const rowsOf = ({ cases }: Results) => Object.values(cases).flat();

/** Returns the latency and throughput of each load with its limit and goal. */
export function loadTable(results: Results): Table {
  const titles = ['case', 'conn.', 'p50 ms', 'p97.5', 'p99', 'per s', 'bytes', 'limit', 'ratio', 'goal', ''];
  return [
    titles,
    ...rowsOf(results)
      .filter(({ load }) => load)
      .map(loadLine),
  ];
}

/** Returns the single results with their limits and goals. */
export function singleTable(results: Results): Table {
  const lines = rowsOf(results).flatMap((row) => {
    const { single, title } = row;
    return single ? [[title, `${shortNumber(single.value)} ${single.unit}`, ...verdictCells(row)]] : [];
  });
  return [['case', 'measured', 'limit', 'ratio', 'goal', ''], ...lines];
}

/** Returns the CPU seconds and the maximum resident memory of each process during the loads. */
export function processTable(results: Results): Table {
  const rows = rowsOf(results).filter(({ processes }) => processes?.length);
  const names = [...new Set(rows.flatMap(({ processes = [] }) => processes.map(({ name }) => name)))];
  const lines = rows.map(({ title, connections, processes = [] }) => {
    const cells = names.map((name) => {
      const use = processes.find((one) => one.name === name);
      return use ? `${use.cpuSeconds.toFixed(1)} s, ${megabytes(use.peakRssBytes)} MB` : none;
    });
    return [title, String(connections ?? none), ...cells];
  });
  return [['case', 'conn.', ...names], ...lines];
}
