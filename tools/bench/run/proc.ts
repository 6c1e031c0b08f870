import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** What `/proc/<pid>/stat` says of a process. */
export interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  /** Of the process and of its children that have ended, in s. */
  readonly cpuSeconds: number;
  readonly rssBytes: number;
}

const ticksPerSecond = 100;
const pageBytes = 4_096;

/** Whether this system shows its processes as Linux does. */
export const hasProc = existsSync('/proc/self/stat');

/** Reads a line of `/proc/<pid>/stat`; the name in brackets may itself hold brackets and spaces. */
export function parseStat(line: string): ProcessStat {
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0] = fields;
  const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
  return {
    pid: Number.parseInt(line, 10),
    parent,
    cpuSeconds: ticks / ticksPerSecond,
    rssBytes: (fields[21] ?? 0) * pageBytes,
  };
}

/** Reads a file of `/proc`; undefined when the process has ended. */
function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** All processes there are. */
export function listProcesses(): ProcessStat[] {
  if (!hasProc) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const line = readProc(`/proc/${pid}/stat`);
      return line === undefined ? [] : [parseStat(line)];
    });
}

/** Memory of a process with its share of what it has in common with others, in bytes; 0 when it has ended. */
export function readPss(pid: number): number {
  const line = /^Pss: +(\d+) kB/m.exec(readProc(`/proc/${pid}/smaps_rollup`) ?? '');
  return Number(line?.[1] ?? 0) * 1024;
}
