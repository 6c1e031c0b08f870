import { readdir, readFile } from 'node:fs/promises';
import { listProcesses } from '../../bench/run/proc.js';
import { groupProcesses, type Roots } from '../../bench/run/process-groups.js';

/** The resources of a process of the hub at an instant. */
export interface ProcessFigures {
  /** Memory (PSS) without the shared memory of PostgreSQL. */
  readonly bytes: number;
  /** Its share of shared memory. */
  readonly sharedBytes: number;
  readonly openFiles: number;
}

/** Processes whose children are included, as PostgreSQL has a process for each connection. */
const countedWhole = ['postgres'];

/** Parses `smaps_rollup`. Shared memory is reported separately, as it grows once to its fixed size. */
export function parseMemory(rollup: string): Pick<ProcessFigures, 'bytes' | 'sharedBytes'> {
  const read = (name: string) =>
    Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0) * 1024;
  const sharedBytes = read('Pss_Shmem');
  return { bytes: read('Pss') - sharedBytes, sharedBytes };
}

async function readOne(pid: number): Promise<ProcessFigures> {
  try {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
    return { ...parseMemory(rollup), openFiles: (await readdir(`/proc/${pid}/fd`)).length };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The process has ended meanwhile.
    if (code === 'ENOENT' || code === 'ESRCH') return { bytes: 0, sharedBytes: 0, openFiles: 0 };
    throw error;
  }
}

/** Reads the resources of the processes of the hub; sequentially, so that the load is not delayed. */
export async function readProcesses(roots: Roots): Promise<Map<string, ProcessFigures>> {
  const figures = new Map<string, ProcessFigures>();
  for (const [name, members] of groupProcesses(listProcesses(), roots)) {
    let sum = { bytes: 0, sharedBytes: 0, openFiles: 0 };
    for (const { pid } of members) {
      if (pid !== roots.get(name) && !countedWhole.includes(name)) continue;
      const one = await readOne(pid);
      sum = {
        bytes: sum.bytes + one.bytes,
        sharedBytes: sum.sharedBytes + one.sharedBytes,
        openFiles: sum.openFiles + one.openFiles,
      };
    }
    figures.set(name, sum);
  }
  return figures;
}
