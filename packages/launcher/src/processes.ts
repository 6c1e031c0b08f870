import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process identity that is safe against reuse of pids. */
export interface ProcessIdentity {
  readonly pid: number;
  /** On Linux the boot id and clock ticks since boot; elsewhere the start date that `ps` prints. */
  readonly startedAt: string;
}

/** Returns the identity of the process with this pid; undefined when there is none. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === 'linux' ? readLinuxStart(pid) : readStartFromPs(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** Whether this very process is still running; false for a zombie and for another process with the same pid. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startedAt === identity.startedAt;
}

/** A signal and the time to wait before the next one. */
export interface StopStep {
  readonly signal: NodeJS.Signals;
  readonly waitMs: number;
}

const pollMs = 50;

/** Stops a process that is not a child. @throws when it survives the last step */
export async function stopProcess(identity: ProcessIdentity, steps: readonly StopStep[]): Promise<void> {
  for (const { signal, waitMs } of steps) {
    if (!sendSignal(identity, signal)) return;
    if (await hasEnded(identity, waitMs)) return;
  }
  throw new Error(`process ${identity.pid} cannot be stopped`);
}

/** Waits for the end of a process; returns false on timeout. */
export async function hasEnded(identity: ProcessIdentity, withinMs: number): Promise<boolean> {
  for (const end = Date.now() + withinMs; isRunning(identity); await sleep(pollMs)) {
    if (Date.now() >= end) return false;
  }
  return true;
}

function sendSignal(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isRunning(identity)) return false;
  try {
    return process.kill(identity.pid, signal);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

function readLinuxStart(pid: number): string | undefined {
  const stat = readFile(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the program's name in brackets, which may contain spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, ticks] = [fields[0], fields[19]];
  if (state === 'Z' || state === 'X' || ticks === undefined) return undefined;
  return `${readFile('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}/${ticks}`;
}

function readStartFromPs(pid: number): string | undefined {
  try {
    const line = execFileSync('/bin/ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
    }).trim();
    return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
  } catch {
    return undefined;
  }
}

function readFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
