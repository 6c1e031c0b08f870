import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { type ScaleName, scaleNames } from '../data-set/scale.js';
import { type GrowthRow, growthTable } from './growth.js';
import { replaceTables } from './replace-tables.js';
import type { Results } from './result-row.js';
import { loadTable, processTable, singleTable } from './result-tables.js';
import { scaleSections } from './scale-sections.js';
import { type Table, toMarkdown } from './table.js';

const folder = new URL('../results/', import.meta.url);
const documentFile = new URL('../../../docs/performance.md', import.meta.url);
const scaleFile = new URL('../../../docs/scale.md', import.meta.url);

async function readJson<T>(name: string): Promise<T | undefined> {
  const file = new URL(`${name}.json`, folder);
  return existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : undefined;
}

async function writeJson(name: string, value: unknown): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(new URL(`${name}.json`, folder), `${JSON.stringify(value, null, 2)}\n`);
}

/** Stores the results of a scale; cases that did not run keep their previous results. */
export async function keepResults(scale: string, results: Results): Promise<void> {
  const before = await readJson<Results>(scale);
  const machine = { ...before?.machine, ...results.machine };
  const hasLoads = Object.values(results.cases).some((rows) => rows.some(({ load }) => load));
  const secondsEach = before && !hasLoads ? before.secondsEach : results.secondsEach;
  await writeJson(scale, { ...results, machine, secondsEach, cases: { ...before?.cases, ...results.cases } });
}

/** Stores a comparison of two sizes. */
export async function keepGrowth(rows: readonly GrowthRow[]): Promise<void> {
  await writeJson('growth', rows);
}

function section(title: string, table: Table): string[] {
  return table.length > 1 ? [`### ${title}`, toMarkdown(table)] : [];
}

function describe({ machine, secondsEach }: Results): string {
  const parts = Object.entries(machine).map(([name, value]) => `${name} ${value}`);
  return `Measured with 1 M detections on: ${parts.join(', ')}. Each load lasted ${secondsEach} s.`;
}

/** Writes the stored results of all sizes to docs/scale.md. */
async function writeScale(): Promise<void> {
  const results = new Map<ScaleName, Results>();
  for (const name of scaleNames) {
    const found = await readJson<Results>(name);
    if (found) results.set(name, found);
  }
  let document = await readFile(scaleFile, 'utf8');
  for (const [mark, text] of Object.entries(scaleSections(results))) {
    document = replaceTables(document, text, mark);
  }
  await writeFile(scaleFile, document);
}

/** Rewrites the tables of the documents from the stored results. */
export async function writeDocument(): Promise<void> {
  await writeScale();
  const found = await readJson<Results>('1m');
  if (!found) return;
  // Partitions are described in docs/scale.md only, as the hub does not use them.
  const { partitions: _, ...cases } = found.cases;
  const results = { ...found, cases };
  const growth = (await readJson<GrowthRow[]>('growth')) ?? [];
  const parts = [
    describe(results),
    ...section('Loads', loadTable(results)),
    ...section('Start and memory', singleTable(results)),
    ...section('Growth', growthTable(growth)),
    ...section('CPU and peak memory of each process while a load ran', processTable(results)),
  ];
  const document = await readFile(documentFile, 'utf8');
  await writeFile(documentFile, replaceTables(document, parts.join('\n\n')));
}
