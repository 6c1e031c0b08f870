import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayMs } from '@birdhub/shared/time';
import { makeRecordingsTree } from '../load/recordings-tree.js';
import { atMost } from '../report/judge.js';
import type { ResultRow } from '../report/result-row.js';
import { type HubProcess, startHub } from '../run/hub-process.js';
import { listProcesses, readPss } from '../run/proc.js';
import { groupProcesses } from '../run/process-groups.js';
import type { BenchCase } from './bench-case.js';

const perDay = 250;
/** Days that retention clears in each run: 25,000, 50,000 and 100,000 recordings. */
const runs = [100, 200, 400] as const;
const days = runs.reduce((sum, count) => sum + count, 0);
/** Days since the end of the last of them. */
const daysSince = 30;
/** Ten minutes per 100,000 files. */
const maxSeconds = (600 * days * perDay) / 100_000;
const watchMs = 500;

async function send(hub: HubProcess, method: string, path: string, body: object): Promise<Answer> {
  const response = await fetch(`${hub.origin}/api/ui/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

interface Answer {
  readonly imported?: number;
  readonly already_known?: number;
  readonly deletedCount?: number;
}

interface Work {
  readonly response: Answer;
  readonly seconds: number;
  /** Maximum memory that the work added to the process of the system service. */
  readonly megabytes: number;
}

/** Memory of the service itself, without the programs that it starts. */
function memoryOfSystem({ roots }: HubProcess): number {
  const own = roots.get('system');
  const pids = groupProcesses(listProcesses(), roots).get('system') ?? [];
  return pids.reduce((sum, { pid }) => sum + (pid === own ? readPss(pid) : 0), 0) / 1e6;
}

async function watchWork(hub: HubProcess, path: string, body: object): Promise<Work> {
  const atRest = memoryOfSystem(hub);
  let max = atRest;
  const watch = setInterval(() => {
    max = Math.max(max, memoryOfSystem(hub));
  }, watchMs);
  const startedAt = performance.now();
  const response = await send(hub, 'POST', path, body);
  clearInterval(watch);
  return { response, seconds: (performance.now() - startedAt) / 1000, megabytes: max - atRest };
}

function check(title: string, found: number | undefined, expected: number): void {
  if (found !== expected) throw new Error(`${title}: ${found} instead of ${expected}`);
}

async function scan(hub: HubProcess): Promise<ResultRow[]> {
  const count = days * perDay;
  const first = await watchWork(hub, 'system/recordings/scan', {});
  check('imported', first.response.imported, count);
  const again = await watchWork(hub, 'system/recordings/scan', {});
  check('already known', again.response.already_known, count);
  const title = `scan of ${count} files without recordings`;
  return [
    { title, single: { value: first.seconds, unit: 's' }, verdict: atMost(first.seconds, maxSeconds, 's') },
    {
      title: `${title}: memory added to the system service`,
      single: { value: first.megabytes, unit: 'MB' },
      verdict: atMost(first.megabytes, 150, 'MB'),
    },
    { title: 'the same again, all known', single: { value: again.seconds, unit: 's' } },
  ];
}

/** Clears more recordings in each run, and compares the time per recording with that of the first run. */
async function clear(hub: HubProcess): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  let left = days;
  let firstMs: number | undefined;
  for (const cleared of runs) {
    left -= cleared;
    const retention = { days: left + daysSince, max_gb: 0, min_free_gb: 0 };
    await send(hub, 'PATCH', 'settings', { retention });
    const count = cleared * perDay;
    const { response, seconds } = await watchWork(hub, 'system/retention', { confirm: true });
    check('cleared', response.deletedCount, count);
    const eachMs = (seconds * 1000) / count;
    firstMs ??= eachMs;
    rows.push({
      title: `retention of ${count} recordings`,
      single: { value: seconds, unit: 's' },
      verdict: atMost(eachMs / firstMs, 1.3, '× the time of the first run for each'),
    });
  }
  return rows;
}

/** A scan for files without recordings, and retention by age. */
export const storageCase: BenchCase = {
  name: 'storage',
  about: `a scan of ${days * perDay} files, and retention of ${runs.map((run) => run * perDay).join(', ')}`,
  kind: 'start',
  async run({ repository }) {
    const parent = await mkdtemp(join(tmpdir(), 'birdhub-storage-'));
    const dataDir = join(parent, 'data');
    const firstDay = Math.floor(Date.now() / dayMs - daysSince - days) * dayMs;
    try {
      await makeRecordingsTree({ folder: join(dataDir, 'recordings'), firstDay, days, perDay });
      const hub = await startHub({ repository, dataDir });
      try {
        await send(hub, 'PATCH', 'settings', {
          general: { timezone: 'UTC' },
          retention: { days: 0, max_gb: 0 },
        });
        return [...(await scan(hub)), ...(await clear(hub))];
      } finally {
        await hub.stop();
      }
    } finally {
      await rm(parent, { recursive: true, force: true });
    }
  },
};
