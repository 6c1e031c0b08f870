import { isDeepStrictEqual } from 'node:util';
import type { SettingsReader } from '@birdhub/domain/settings';
import { isVisitRule, type WantedRule } from '@birdhub/domain/visits';
import { createLoop } from '@birdhub/shared/async';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Jobs } from '../jobs/job-runner.js';
import { findRunning } from '../jobs/jobs.store.js';
import { wantedRule } from './wanted-rule.js';

/** What visits are kept aligned with. */
export interface VisitAlignment {
  readonly pool: pg.Pool;
  readonly settings: Pick<SettingsReader, 'current' | 'watch'>;
  readonly jobs: Pick<Jobs, 'start'>;
  readonly log: Logger;
  /** Pause until the next look, while another rebuild runs or after a failure. */
  readonly retryMs?: number;
}

/** Begins a job by a rule unless the visits are, or are being, made by it; answers whether another one is in the way. */
async function beginRebuild({ pool, jobs }: VisitAlignment, wanted: WantedRule): Promise<boolean> {
  const running = await findRunning(pool, 'visits');
  if (running) return !isDeepStrictEqual(running, wanted);
  if (await isVisitRule(pool, wanted)) return false;
  try {
    await jobs.start('visits', wanted);
    return false;
  } catch (error) {
    if (error instanceof HubError && error.code === 'job_running') return true;
    throw error;
  }
}

/**
 * Has the visits made anew whenever the rule of the settings is not the one they were made by: now and at each change.
 * Returns what ends that.
 */
export function keepVisitsAligned(alignment: VisitAlignment): () => Promise<void> {
  const { settings, log, retryMs = 5_000 } = alignment;
  const loop = createLoop({
    everyMs: Number.POSITIVE_INFINITY,
    retryMs,
    async work() {
      const isBlocked = await beginRebuild(alignment, wantedRule(await settings.current()));
      return isBlocked ? retryMs : undefined;
    },
    onError: (error) => log.error({ err: error }, 'visits not made anew, trying again soon'),
  });
  const stopWatching = settings.watch(() => loop.wake());
  return () => {
    stopWatching();
    return loop.stop();
  };
}
