import type { ProcessStat } from './proc.js';

/** Pids of the root processes by name. */
export type Roots = ReadonlyMap<string, number>;

/** Groups processes by their nearest root; processes without a root are left out. */
export function groupProcesses(processes: readonly ProcessStat[], roots: Roots): Map<string, ProcessStat[]> {
  const parents = new Map(processes.map(({ pid, parent }) => [pid, parent]));
  const nameOf = new Map([...roots].map(([name, pid]) => [pid, name]));
  const groups = new Map<string, ProcessStat[]>([...roots.keys()].map((name) => [name, []]));
  for (const one of processes) {
    let at: number | undefined = one.pid;
    while (at !== undefined && !nameOf.has(at)) at = parents.get(at);
    const name = at === undefined ? undefined : nameOf.get(at);
    if (name !== undefined) groups.get(name)?.push(one);
  }
  return groups;
}
