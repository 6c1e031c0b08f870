import { isDeepStrictEqual } from 'node:util';
import { HubError } from '@birdhub/shared/errors';
import type { SettingsReader } from '@birdhub/shared/settings';
import { isVisitRule, type WantedRule } from '@birdhub/shared/visits';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Jobs } from '../jobs/job-runner.js';
import { findLatest } from '../jobs/jobs.store.js';
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
  const latest = await findLatest(pool, 'visits');
  if (latest?.state === 'running') return !isDeepStrictEqual(latest.parameters, wanted);
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
 * Answers what ends that.
 */
export function keepVisitsAligned(alignment: VisitAlignment): () => void {
  const { settings, log, retryMs = 5_000 } = alignment;
  let isEnded = false;
  let aligning = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function align(): Promise<void> {
    if (await beginRebuild(alignment, wantedRule(await settings.current()))) alignLater();
  }

  function alignLater(): void {
    clearTimeout(timer);
    if (!isEnded) timer = setTimeout(alignNext, retryMs).unref();
  }

  function alignNext(): void {
    if (isEnded) return;
    aligning = aligning.then(align).catch((error: unknown) => {
      if (isEnded) return;
      log.error({ err: error }, 'visits not made anew, trying again soon');
      alignLater();
    });
  }

  const stopWatching = settings.watch(alignNext);
  return () => {
    isEnded = true;
    clearTimeout(timer);
    stopWatching();
  };
}
