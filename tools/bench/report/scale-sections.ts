import type { ScaleName } from '../data-set/scale.js';
import { compareGrowth, growthTable } from './growth.js';
import type { ResultRow, Results } from './result-row.js';
import { shortNumber } from './result-tables.js';
import { type Table, toMarkdown } from './table.js';

/** Titles of the sizes. */
const titles: Readonly<Record<ScaleName, string>> = { '100k': '100 k', '1m': '1 M', '10m': '10 M' };

/** Maximum growth of times from 1 M to 10 M; the goal from 100 k to 1 M is 1.1. */
const maxGrowth = 1.3;

type BySize = ReadonlyMap<ScaleName, Results>;

const megabytes = (bytes: number) => shortNumber(bytes / 1e6);

/** Returns rows and bytes of tables; the sizes of larger stores are estimated from the bytes per row. */
function sizeTable(rows: readonly ResultRow[]): Table {
  const lines = rows.flatMap(({ title, size }) => {
    if (!size) return [];
    const { rows: count, bytes, indexBytes } = size;
    const each = [bytes, indexBytes].map((all) => String(Math.round(all / count)));
    return [[title, String(count), megabytes(bytes), each[0] ?? '', megabytes(indexBytes), each[1] ?? '']];
  });
  return [['table', 'rows', 'MB', 'bytes a row', 'indexes MB', 'bytes a row'], ...lines];
}

/** Returns the results of plain and partitioned tables with their ratio, or the only result. */
function toCell({ load, single, limit }: ResultRow): string {
  const unit = limit?.unit ?? single?.unit ?? '';
  const shown = (value: number) => (unit === '' ? String(value) : shortNumber(value));
  const value = shown(load?.p50 ?? single?.value ?? Number.NaN);
  const both = limit ? `${shown(limit.value)} → ${value}` : value;
  return [both, unit, limit && `(${shortNumber(limit.ratio)} ×)`].filter(Boolean).join(' ');
}

/** Returns a line for each measurement with a column for each size. */
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

/** Returns the table sizes of the largest measured store. */
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
  const all = small && large ? compareGrowth(small, large, maxGrowth) : [];
  // Reads grow with 16 connections as with one; only posts affect each other.
  const rows = all.filter(({ title, connections }) => connections !== 16 || title === 'ingest');
  return rows.length ? toMarkdown(growthTable(rows, [titles['1m'], titles['10m']])) : '';
}

/** Returns the sections of docs/scale.md with the results, by their marks. */
export function scaleSections(results: BySize): Readonly<Record<'growth' | 'sizes' | 'partitions', string>> {
  return {
    growth: growth(results),
    sizes: sizes(results),
    partitions: partitions(results),
  };
}
