import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { LauncherError } from './launcher-error.js';

/** One step of a stop. */
export type Step = () => Promise<void> | void;

/** Runs the steps one after the other, also those after a failed one. @throws the first failure */
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

/** How long a part of the hub may take to start, on a small machine that many hubs start on at once. */
export const startTimeoutMs = 300_000;

/** A condition that is polled until it is true. */
export type Wait = {
  readonly what: string;
  readonly isReady: () => Promise<boolean>;
  readonly timeoutMs: number;
  /** A reason to give up at once; undefined while there is hope. */
  readonly findFailure?: () => string | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** @throws LauncherError when there is a failure or the time is over; what the signal is aborted with */
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

/** Whether a GET of this URL returns 200 now. */
export function answersOk(url: string): Promise<boolean> {
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
