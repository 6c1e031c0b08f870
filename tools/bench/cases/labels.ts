import { createReadStream, existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import {
  createSpeciesDirectory,
  loadChecklist,
  readChecklist,
  resolveLabel,
  type SpeciesDirectory,
} from '@birdhub/domain/species';
import { openDatabase } from '@birdhub/shared/db';
import { createLog } from '@birdhub/shared/log';
import type pg from 'pg';
import { atMost } from '../report/judge.js';
import type { ResultRow, Verdict } from '../report/result-row.js';
import { startHub } from '../run/hub-process.js';
import type { BenchCase } from './bench-case.js';

/** A label of a model, and the scientific names of its species; none if the lists disagree. */
interface LabelRow {
  readonly label: string;
  readonly expected: readonly string[];
  readonly code: string;
}

/** A list of labels, and the percentage of them that must be resolved with a checklist. */
interface LabelList {
  readonly name: string;
  readonly goal: number;
  read(row: Readonly<Record<string, string>>): LabelRow;
}

const names = (expected = '', own = '') =>
  expected
    .split('|')
    .map((name) => (name === '=' ? own : name))
    .filter((name) => name !== '');

const lists: readonly LabelList[] = [
  {
    name: 'birdnet',
    goal: 99,
    read: ({ scientific = '', english_us, expected, code = '' }) => ({
      label: `${scientific}_${english_us}`,
      expected: names(expected, scientific),
      code,
    }),
  },
  {
    name: 'coral',
    goal: 98,
    read: ({ label = '', expected, code = '' }) => ({
      label,
      expected: names(expected, label.split(' (')[0]),
      code,
    }),
  },
  {
    name: 'nabirds',
    goal: 97,
    read: ({ label = '', expected, code = '' }) => ({ label, expected: names(expected), code }),
  },
];

/** The lists and the checklist are next to the checkout, as they are not part of the project. */
const dataFolder = (repository: string) => join(repository, '..', 'shared', 'data');

async function readTable(file: string): Promise<Readonly<Record<string, string>>[]> {
  const [header = '', ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const columns = header.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? '']));
  });
}

interface Deps {
  readonly pool: pg.Pool;
  readonly directory: SpeciesDirectory;
}

type Outcome = 'right' | 'wrong' | 'unknown' | 'mapped';

async function judge(deps: Deps, { label, expected, code }: LabelRow): Promise<Outcome> {
  const found = await resolveLabel(deps, label);
  if (found.name === null) return 'unknown';
  if (!expected.length) return 'mapped';
  const tree = await deps.directory.tree();
  const above = found.speciesId === null ? [] : [found.speciesId, ...tree.ancestorsOf(found.speciesId)];
  const meant = [found, ...above.map((id) => tree.names.node(id))];
  const isRight = meant.some(
    (species) =>
      expected.includes(species?.scientificName ?? '') || (code !== '' && species?.ebirdCode === code),
  );
  return isRight ? 'right' : 'wrong';
}

async function countLabels(deps: Deps, rows: readonly LabelRow[]) {
  const counts: Record<Outcome, number> = { right: 0, wrong: 0, unknown: 0, mapped: 0 };
  for (const row of rows) counts[await judge(deps, row)] += 1;
  return counts;
}

const atLeastPercent = (value: number, min: number): Verdict => ({
  goal: `≥ ${min} %`,
  isReached: value >= min,
});

async function listRows(deps: Deps, folder: string, { name, goal, read }: LabelList, isListed: boolean) {
  const rows = (await readTable(join(folder, 'labels', `${name}.tsv`))).map(read);
  const { right, wrong, unknown } = await countLabels(deps, rows);
  const percent = (100 * right) / (right + wrong + unknown);
  const title = `${name}, ${isListed ? 'with' : 'without'} a checklist`;
  const count = (what: string, value: number): ResultRow => ({
    title: `${title}: ${what}`,
    single: { value, unit: '' },
  });
  return [
    { ...count('right, in percent', percent), ...(isListed && { verdict: atLeastPercent(percent, goal) }) },
    { ...count('wrong', wrong), verdict: atMost(wrong, 0, 'labels') },
    count('unknown', unknown),
  ];
}

async function timeLabels({ directory }: Deps, labels: readonly string[]): Promise<ResultRow[]> {
  directory.forget();
  const tree = await directory.tree();
  const known = labels.filter((label) => tree.find(label) !== undefined);
  directory.forget();
  const fresh = await directory.tree();
  const time = (rounds: number) => {
    const start = performance.now();
    for (let round = 0; round < rounds; round += 1) for (const label of known) fresh.find(label);
    return (performance.now() - start) / known.length / rounds;
  };
  const [cold, warm] = [time(1), time(100)];
  return [
    {
      title: 'a label for the first time',
      single: { value: cold, unit: 'ms' },
      verdict: atMost(cold, 1, 'ms'),
    },
    { title: 'a label again', single: { value: warm, unit: 'ms' }, verdict: atMost(warm, 0.005, 'ms') },
  ];
}

async function measure(databaseUrl: string, folder: string): Promise<ResultRow[]> {
  const log = createLog('bench', 'silent');
  const database = openDatabase({ url: databaseUrl, max: 2, name: 'bench', log });
  const { pool } = database;
  try {
    const deps = { pool, directory: createSpeciesDirectory(pool) };
    const results: ResultRow[] = [];
    for (const list of lists) results.push(...(await listRows(deps, folder, list, false)));
    const start = performance.now();
    await loadChecklist(pool, await readChecklist(createReadStream(join(folder, 'avilist-2025.tsv'))));
    const seconds = (performance.now() - start) / 1_000;
    results.push({
      title: 'loading 11,000 species',
      single: { value: seconds, unit: 's' },
      verdict: atMost(seconds, 5, 's'),
    });
    for (const list of lists) results.push(...(await listRows(deps, folder, list, true)));
    const labels = (await readTable(join(folder, 'labels', 'birdnet.tsv'))).map(
      ({ scientific, english_us }) => `${scientific}_${english_us}`,
    );
    return [...results, ...(await timeLabels(deps, labels))];
  } finally {
    await database.close();
  }
}

/** The species of the labels of real models, with and without a checklist; no rows if the lists are missing. */
export const labelsCase: BenchCase = {
  name: 'labels',
  about: 'which species the labels of real models mean, with and without a checklist of the world',
  kind: 'start',
  isWithoutStore: true,
  async run({ repository }) {
    const folder = dataFolder(repository);
    if (!existsSync(join(folder, 'labels'))) return [];
    const dataDir = await mkdtemp(join(tmpdir(), 'birdhub-labels-'));
    const hub = await startHub({ repository, dataDir });
    try {
      return await measure(hub.databaseUrl, folder);
    } finally {
      await hub.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
