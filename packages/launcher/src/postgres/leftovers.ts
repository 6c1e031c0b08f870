import { readFileSync, readlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../log.js';
import { identifyProcess, type ProcessIdentity } from '../process-identity.js';
import { type StopStep, stopProcess } from '../stop-process.js';

/** "Fast" ends the sessions and closes the files; "immediate" leaves recovery to the next start; nothing is lost by either. */
export const postgresStopSteps: readonly StopStep[] = [
  { signal: 'SIGINT', waitMs: 8000 },
  { signal: 'SIGQUIT', waitMs: 2000 },
];

/**
 * Clears what a killed launcher or a power loss left: a server without an owner is stopped, and a
 * `postmaster.pid` whose number another program has by now is removed (PostgreSQL would take that program for
 * a server and refuse to start). A file whose process is gone stays: PostgreSQL itself checks by it that no
 * session of that server is left.
 */
export async function clearLeftovers(dataDir: string, log: Log): Promise<void> {
  const pidFile = join(dataDir, 'postmaster.pid');
  const owner = findProcess(pidFile);
  if (owner === undefined) return;
  if (!isServerOf(dataDir, owner.pid)) {
    log.warn({ pid: owner.pid }, 'stale postmaster.pid removed');
    await rm(pidFile, { force: true });
    return;
  }
  log.warn({ pid: owner.pid }, 'stopping the PostgreSQL that an earlier launcher left running');
  await stopProcess(owner, [...postgresStopSteps, { signal: 'SIGKILL', waitMs: 2000 }]);
}

/** Whether the server with this process number takes connections: it says so itself, in its pid file. */
export function isServerReady(dataDir: string, pid: number): boolean {
  const lines = readLines(join(dataDir, 'postmaster.pid'));
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

function findProcess(pidFile: string): ProcessIdentity | undefined {
  const pid = Number(readLines(pidFile)[0]);
  return Number.isInteger(pid) && pid > 0 ? identifyProcess(pid) : undefined;
}

// PostgreSQL works inside its data folder; where that cannot be seen, the file is taken at its word.
function isServerOf(dataDir: string, pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === dataDir;
  } catch {
    return process.platform !== 'linux';
  }
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
