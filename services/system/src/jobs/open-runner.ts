import { setTimeout as pause } from 'node:timers/promises';
import { createLoop } from '@birdhub/shared/async';
import { lockPrefixes, withAdvisoryLock } from '@birdhub/shared/db';
import type { JobKind } from './job.js';
import { findRunning } from './jobs.store.js';
import { type RunParts, runJob } from './run-job.js';

/** What runs the jobs of one kind. */
export interface Runner {
  wake(): void;
  /** Ends the job that runs here. */
  cut(): void;
  /** Resolves when the job that runs here has ended, or after some milliseconds. */
  rest(mostMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Runs the jobs of one kind that are there to be run, whoever began them; looks for them every so often. */
export function openRunner(kind: JobKind, parts: RunParts, lookMs: number): Runner {
  const { pool, log } = parts;
  let cutting = new AbortController();

  async function look(stop: AbortSignal): Promise<void> {
    if (!(await findRunning(pool, kind.name))) return;
    cutting = new AbortController();
    const signals = { stop, cut: cutting.signal };
    await withAdvisoryLock(pool, `${lockPrefixes.job}${kind.name}`, () => runJob(parts, kind, signals));
  }

  const loop = createLoop({
    work: look,
    everyMs: lookMs,
    onError: (error) => log.warn({ err: error, kind: kind.name }, 'job interrupted, going on soon'),
  });
  loop.start();
  return {
    wake: () => loop.wake(),
    cut: () => cutting.abort(new Error('cancelled')),
    async rest(mostMs) {
      await Promise.race([pause(mostMs), ...(loop.running ? [loop.running] : [])]);
    },
    close: () => loop.stop(),
  };
}
