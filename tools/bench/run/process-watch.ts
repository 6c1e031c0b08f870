import { hasProc, listProcesses } from './proc.js';
import { groupProcesses, type Roots } from './process-groups.js';

/** What a process of the hub, with its children, took while it was watched. */
export interface ProcessUse {
  readonly name: string;
  readonly cpuSeconds: number;
  /** The greatest sum of resident memory seen. */
  readonly peakRssBytes: number;
}

const everyMs = 250;
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

/** Watches processes until it is stopped; on systems without `/proc` there is nothing to see. */
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
