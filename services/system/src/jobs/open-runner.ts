import { setTimeout as pause } from 'node:timers/promises';
import { runAlone } from '@birdhub/shared/db';
import type { JobKind } from './job.js';
import { findLatest } from './jobs.store.js';
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
  const stopping = new AbortController();
  let cutting = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;
  let isWoken = false;

  async function look(): Promise<void> {
    const latest = await findLatest(pool, kind.name);
    if (latest?.state !== 'running') return;
    cutting = new AbortController();
    const signals = { stop: stopping.signal, cut: cutting.signal };
    await runAlone(pool, `job.${kind.name}`, () => runJob(parts, kind, signals));
  }

  function report(error: unknown): void {
    if (!stopping.signal.aborted) log.warn({ err: error, kind: kind.name }, 'job interrupted, going on soon');
  }

  /** Who wakes it while it looks may have begun a job after it looked. */
  function wake(): void {
    clearTimeout(timer);
    isWoken = working !== undefined;
    if (working || stopping.signal.aborted) return;
    working = look()
      .catch(report)
      .finally(() => {
        working = undefined;
        if (!stopping.signal.aborted) timer = setTimeout(wake, isWoken ? 0 : lookMs);
      });
  }

  wake();
  return {
    wake,
    cut: () => cutting.abort(new Error('cancelled')),
    async rest(mostMs) {
      await Promise.race([pause(mostMs), ...(working ? [working] : [])]);
    },
    async close() {
      stopping.abort(new Error('the service stops'));
      clearTimeout(timer);
      await working;
    },
  };
}
