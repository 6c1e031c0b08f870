import type { ScaleName } from '../data-set/scale.js';
import { compareGrowth, growthTable } from './growth.js';
import type { ResultRow, Results } from './result-row.js';
import { shortNumber } from './result-tables.js';
import { type Table, toMarkdown } from './table.js';

/** Names of sizes as people write them. */
const titles: Readonly<Record<ScaleName, string>> = { '100k': '100 k', '1m': '1 M', '10m': '10 M' };

/** With ten times the history; a tenth is aimed at from 100 k to 1 M. */
const mostGrowth = 1.3;

type BySize = ReadonlyMap<ScaleName, Results>;

const megabytes = (bytes: number) => shortNumber(bytes / 1e6);

/** Rows and bytes of tables; what a row takes is what larger stores are reckoned from. */
function sizeTable(rows: readonly ResultRow[]): Table {
  const lines = rows.flatMap(({ title, size }) => {
    if (!size) return [];
    const { rows: count, bytes, indexBytes } = size;
    const each = [bytes, indexBytes].map((all) => String(Math.round(all / count)));
    return [[title, String(count), megabytes(bytes), each[0] ?? '', megabytes(indexBytes), each[1] ?? '']];
  });
  return [['table', 'rows', 'MB', 'bytes a row', 'indexes MB', 'bytes a row'], ...lines];
}

/** Plain, divided, and how they compare; or the one figure there is. */
function toCell({ load, single, limit }: ResultRow): string {
  const unit = limit?.unit ?? single?.unit ?? '';
  const shown = (value: number) => (unit === '' ? String(value) : shortNumber(value));
  const value = shown(load?.p50 ?? single?.value ?? Number.NaN);
  const both = limit ? `${shown(limit.value)} → ${value}` : value;
  return [both, unit, limit && `(${shortNumber(limit.ratio)} ×)`].filter(Boolean).join(' ');
}

/** A line for each thing that was measured, a column for each size it was measured with. */
function partitionTable(results: BySize): Table {
  const measured = [...results].flatMap(([size, { cases }]) => {
    const { partitions } = cases;
    return partitions ? [{ size, cells: new Map(partitions.map((row) => [row.title, toCell(row)])) }] : [];
  });
  const names = [...new Set(measured.flatMap(({ cells }) => [...cells.keys()]))];
  return [
    ['plain → by month', ...measured.map(({ size }) => titles[size])],
    ...names.map((name) => [
      name.replace(', by month', ''),
      ...measured.map(({ cells }) => cells.get(name) ?? ''),
    ]),
  ];
}

/** The tables of the largest store that was measured. */
function sizes(results: BySize): string {
  const last = [...results].findLast(([, { cases }]) => cases['sizes']);
  if (!last) return '';
  const [size, { cases }] = last;
  return `With ${titles[size]} detections:\n\n${toMarkdown(sizeTable(cases['sizes'] ?? []))}`;
}

function partitions(results: BySize): string {
  const table = partitionTable(results);
  return table.length > 1 ? toMarkdown(table) : '';
}

function growth(results: BySize): string {
  const [small, large] = [results.get('1m'), results.get('10m')];
  const all = small && large ? compareGrowth(small, large, mostGrowth) : [];
  // Sixteen at once grow as one does; posts alone meet each other.
  const rows = all.filter(({ title, connections }) => connections !== 16 || title === 'ingest');
  return rows.length ? toMarkdown(growthTable(rows, [titles['1m'], titles['10m']])) : '';
}

/** What the document about growing says of the results, by the marks between which it stands. */
export function scaleSections(results: BySize): Readonly<Record<'growth' | 'sizes' | 'partitions', string>> {
  return {
    growth: growth(results),
    sizes: sizes(results),
    partitions: partitions(results),
  };
}
