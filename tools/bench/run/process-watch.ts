import { hasProc, listProcesses } from './proc.js';
import { groupProcesses, type Roots } from './process-groups.js';

/** The resources that a process of the hub and its children used while watched. */
export interface ProcessUse {
  readonly name: string;
  readonly cpuSeconds: number;
  /** Maximum total resident memory. */
  readonly peakRssBytes: number;
}

const everyMs = 250;
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

/** Watches processes until it is stopped; without `/proc` the result is empty. */
export function watchProcesses(roots: Roots): { stop(): ProcessUse[] } {
  if (!hasProc) return { stop: () => [] };
  const look = () => groupProcesses(listProcesses(), roots);
  const cpuOf = (groups: ReturnType<typeof look>, name: string) =>
    sum((groups.get(name) ?? []).map(({ cpuSeconds }) => cpuSeconds));
  const peaks = new Map<string, number>();
  const notePeaks = (groups: ReturnType<typeof look>) => {
    for (const [name, members] of groups) {
      peaks.set(name, Math.max(peaks.get(name) ?? 0, sum(members.map(({ rssBytes }) => rssBytes))));
    }
    return groups;
  };
  const before = notePeaks(look());
  const timer = setInterval(() => notePeaks(look()), everyMs);
  const stop = () => {
    clearInterval(timer);
    const after = notePeaks(look());
    return [...roots.keys()].map((name) => ({
      name,
      cpuSeconds: cpuOf(after, name) - cpuOf(before, name),
      peakRssBytes: peaks.get(name) ?? 0,
    }));
  };
  return { stop };
}
