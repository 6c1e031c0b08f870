import { readdir, readFile } from 'node:fs/promises';
import { listProcesses } from '../../bench/run/proc.js';
import { groupProcesses, type Roots } from '../../bench/run/process-groups.js';

/** What a process of the hub holds at an instant. */
export interface ProcessFigures {
  /** Its share of memory, without what PostgreSQL's processes have in common. */
  readonly bytes: number;
  /** Of memory in common. */
  readonly sharedBytes: number;
  readonly openFiles: number;
}

/** Its processes come and go with the connections; of the others, the programs that they start are left out. */
const countedWhole = ['postgres'];

/** Reads `smaps_rollup`: what is shared is not the process's own doing, and fills up to its fixed size once. */
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
    // It has ended meanwhile.
    if (code === 'ENOENT' || code === 'ESRCH') return { bytes: 0, sharedBytes: 0, openFiles: 0 };
    throw error;
  }
}

/** Looks at the processes of the hub, one file after the other so that whoever loads the hub is not held up. */
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
