import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { allCases } from './cases/all-cases.js';
import type { BenchCase } from './cases/bench-case.js';
import { type ScaleName, scales } from './data-set/scale.js';
import { provideStore } from './load/store.js';
import type { BenchOptions } from './options.js';
import { compareGrowth, growthTable } from './report/growth.js';
import { pairedLoadTable, pairedSingleTable } from './report/paired-tables.js';
import type { ResultRow, Results } from './report/result-row.js';
import { loadTable, processTable, singleTable } from './report/result-tables.js';
import { type Table, toText } from './report/table.js';
import { keepGrowth, keepResults, writeDocument } from './report/write-results.js';
import { checkOut, setUp } from './run/checkout.js';
import type { Target } from './run/load-session.js';
import { type PairedResults, runAgainst } from './run/run-against.js';
import { runTarget } from './run/run-target.js';

const repository = fileURLToPath(new URL('../../', import.meta.url));

function print(table: Table): void {
  if (table.length > 1) console.log(`\n${toText(table)}`);
}

function printCase(name: string, rows: readonly ResultRow[]): void {
  const results: Results = { machine: {}, secondsEach: 0, cases: { [name]: rows } };
  for (const table of [loadTable(results), singleTable(results), processTable(results)]) print(table);
}

function printPaired(pair: PairedResults): void {
  console.log(`${pair.name} done`);
  print(pairedLoadTable(pair));
  print(pairedSingleTable(pair));
}

const needsStore = (one: BenchCase) => one.kind === 'load' || !one.isWithoutStore;

async function provideTarget(name: ScaleName, cases: readonly BenchCase[]): Promise<Target> {
  const scale = scales[name];
  if (!cases.some(needsStore)) return { repository, store: '', scale };
  console.log(`Data set ${name}: looking for it in the cache, loading it otherwise`);
  const { folder, loadSeconds } = await provideStore(scale, process.env);
  if (loadSeconds !== undefined) console.log(`Loaded in ${loadSeconds.toFixed(0)} s`);
  return { repository, store: folder, scale };
}

/** Prepares the other commit with a store from its own loader, as its tables may differ. */
async function provideOther(folder: string, name: ScaleName, cases: readonly BenchCase[]): Promise<Target> {
  if (!cases.some(needsStore)) return { repository: folder, store: '', scale: scales[name] };
  const args = ['--conditions=hub:source', '--import', 'tsx', 'tools/bench/load/main.ts', name];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  return { repository: folder, store: stdout.trim().split('\n').at(-1) ?? '', scale: scales[name] };
}

/** @throws AggregateError when cases failed */
function throwAny(failures: readonly Error[]): void {
  const names = failures.map(({ message }) => message).join(', ');
  if (failures.length) throw new AggregateError(failures, `${names}; the others are above`);
}

async function runOneScale({ scale, seconds }: BenchOptions, cases: readonly BenchCase[]): Promise<void> {
  const target = await provideTarget(scale, cases);
  const { results, failures } = await runTarget(target, cases, seconds, printCase);
  await keepResults(scale, results);
  await writeDocument();
  throwAny(failures);
}

async function runGrowth({ seconds }: BenchOptions, cases: readonly BenchCase[]): Promise<void> {
  const loads = cases.filter(({ kind }) => kind === 'load');
  const small = await runTarget(await provideTarget('100k', loads), loads, seconds, printCase);
  const large = await runTarget(await provideTarget('1m', loads), loads, seconds, printCase);
  const rows = compareGrowth(small.results, large.results);
  print(growthTable(rows));
  await keepGrowth(rows);
  await writeDocument();
  throwAny([...small.failures, ...large.failures]);
}

async function runPaired(
  options: BenchOptions,
  revision: string,
  cases: readonly BenchCase[],
): Promise<void> {
  const { scale, seconds } = options;
  const here = await provideTarget(scale, cases);
  const checkout = await checkOut(repository, revision);
  try {
    await setUp(checkout.folder);
    const there = await provideOther(checkout.folder, scale, cases);
    await runAgainst({ here, there }, cases, seconds, printPaired);
  } finally {
    await checkout.remove();
  }
}

/** Runs the cases of the command line and prints the results; stores them unless two commits are compared. */
export async function runBench(options: BenchOptions): Promise<void> {
  const isWanted = ({ name, isOnRequest }: BenchCase) =>
    options.cases.length ? options.cases.includes(name) : !isOnRequest;
  const cases = allCases.filter(isWanted);
  if (options.against !== undefined) await runPaired(options, options.against, cases);
  else if (options.isGrowth) await runGrowth(options, cases);
  else await runOneScale(options, cases);
}
