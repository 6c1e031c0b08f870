import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, type ProcessIdentity } from './process-identity.js';

/** A signal and how long a process may take to end after it before the next one is sent. */
export type StopStep = { readonly signal: NodeJS.Signals; readonly waitMs: number };

const pollMs = 50;

/** Stops a process that is not a child of this one. @throws when it outlives the last step */
export async function stopProcess(identity: ProcessIdentity, steps: readonly StopStep[]): Promise<void> {
  for (const { signal, waitMs } of steps) {
    if (!sendSignal(identity, signal)) return;
    if (await hasEnded(identity, waitMs)) return;
  }
  throw new Error(`process ${identity.pid} cannot be stopped`);
}

/** Waits until the process is gone; false when it still runs after that time. */
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
