import { setTimeout as sleep } from 'node:timers/promises';
import { atMost } from '../report/judge.js';
import type { ResultRow } from '../report/result-row.js';
import { startHub } from '../run/hub-process.js';
import { listProcesses, readPss } from '../run/proc.js';
import { groupProcesses, type Roots } from '../run/process-groups.js';
import { copyFolder } from '../run/work-copy.js';
import type { BenchCase } from './bench-case.js';

const restMs = 15_000;
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

/** Returns the memory of each process of the hub with its children (PSS), in MB. */
function memoryOf(roots: Roots): [name: string, megabytes: number][] {
  return [...groupProcesses(listProcesses(), roots)].map(([name, members]) => [
    name,
    sum(members.map(({ pid }) => readPss(pid))) / 1e6,
  ]);
}

async function measureRest(
  start: { repository: string; dataDir: string; isSingleProcess: boolean },
  title: string,
  goal: number,
): Promise<ResultRow[]> {
  const hub = await startHub(start);
  try {
    await sleep(restMs);
    const parts = memoryOf(hub.roots);
    const total = sum(parts.map(([, megabytes]) => megabytes));
    return [
      { title, single: { value: total, unit: 'MB' }, verdict: atMost(total, goal, 'MB') },
      ...parts.map(
        ([name, value]): ResultRow => ({ title: `${title}: ${name}`, single: { value, unit: 'MB' } }),
      ),
    ];
  } finally {
    await hub.stop();
  }
}

/** Memory of all processes of an idle hub. */
export const memoryCase: BenchCase = {
  name: 'memory',
  about: 'memory at rest (PSS), five processes and one',
  kind: 'start',
  async run({ repository, store }) {
    const copy = await copyFolder(store);
    const start = { repository, dataDir: copy.folder };
    try {
      return [
        ...(await measureRest({ ...start, isSingleProcess: false }, 'at rest, five services', 600)),
        ...(await measureRest({ ...start, isSingleProcess: true }, 'at rest, one process', 260)),
      ];
    } finally {
      await copy.remove();
    }
  },
};
