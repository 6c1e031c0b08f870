import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { LauncherError } from './launcher-error.js';

/** One step of a shutdown. */
export type Step = () => Promise<void> | void;

/** Runs all steps in order, even after a failed one. @throws the first failure */
export async function runAll(steps: readonly Step[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

const pollMs = 40;

/** Time limit for the start of a component, generous for small and busy machines. */
export const startTimeoutMs = 300_000;

/** A condition to be polled until it is true. */
export interface Wait {
  readonly what: string;
  readonly isReady: () => Promise<boolean>;
  readonly timeoutMs: number;
  /** Returns a reason to give up; undefined to continue polling. */
  readonly findFailure?: () => string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Polls until ready. @throws LauncherError on failure or timeout, the reason of the signal */
export async function waitReady({ what, isReady, timeoutMs, findFailure, signal }: Wait): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await isReady())) {
    signal?.throwIfAborted();
    const failure = findFailure?.();
    if (failure !== undefined) throw new LauncherError(`${what} did not start: ${failure}`);
    if (Date.now() >= end) throw new LauncherError(`${what} was not ready after ${timeoutMs / 1000} s.`);
    await sleep(pollMs);
  }
}

/** Whether a GET of this URL returns 200. */
export function respondsOk(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: 3000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
    request.on('close', () => resolve(false));
  });
}
