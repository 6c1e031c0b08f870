import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Data of a process from `/proc/<pid>/stat`. */
export interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  /** CPU time of the process and of its ended children. */
  readonly cpuSeconds: number;
  readonly rssBytes: number;
}

const ticksPerSecond = 100;
const pageBytes = 4_096;

/** Whether this system has a `/proc` like Linux. */
export const hasProc = existsSync('/proc/self/stat');

/** Parses a line of `/proc/<pid>/stat`; the name in brackets may itself contain brackets and spaces. */
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

/** Returns all processes of the system. */
export function listProcesses(): ProcessStat[] {
  if (!hasProc) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const line = readProc(`/proc/${pid}/stat`);
      return line === undefined ? [] : [parseStat(line)];
    });
}

/** Returns the memory of a process with its share of shared pages (PSS), in bytes; 0 when it has ended. */
export function readPss(pid: number): number {
  const line = /^Pss: +(\d+) kB/m.exec(readProc(`/proc/${pid}/smaps_rollup`) ?? '');
  return Number(line?.[1] ?? 0) * 1024;
}
