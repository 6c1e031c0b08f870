import { setTimeout } from 'node:timers/promises';

/** Resolves after the time, or early when the signal fires. */
export async function pauseUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
