import type { Bell } from '@birdhub/shared/db';
import type { SettingsReader } from '@birdhub/shared/settings';
import type { SpeciesDirectory } from '@birdhub/shared/species';
import { alignVisitRule } from '@birdhub/shared/visits';
import type pg from 'pg';
import type { Logger } from 'pino';

/** What visits are kept aligned with. */
export interface VisitAlignment {
  readonly pool: pg.Pool;
  readonly directory: SpeciesDirectory;
  readonly settings: Pick<SettingsReader, 'current' | 'watch'>;
  readonly bell: Pick<Bell, 'ring'>;
  readonly log: Logger;
}

const retryMs = 30_000;

/**
 * Makes the visits anew whenever the rule of the settings is not the one they were made by: now and at each change.
 * Answers what ends that.
 */
export function keepVisitsAligned({ pool, directory, settings, bell, log }: VisitAlignment): () => void {
  let isEnded = false;
  let aligning = Promise.resolve();

  async function align(): Promise<void> {
    const { visits, general } = await settings.current();
    const wanted = { gapMs: Math.round(visits.gap_seconds * 1000), timezone: general.timezone };
    if (!(await alignVisitRule(pool, directory, wanted))) return;
    log.info(wanted, 'visits made anew by the rule of the settings');
    bell.ring({ kind: 'everything' });
  }

  function alignNext(): void {
    if (isEnded) return;
    aligning = aligning.then(align).catch((error: unknown) => {
      if (isEnded) return;
      log.error({ err: error }, 'visits not made anew, trying again soon');
      setTimeout(alignNext, retryMs).unref();
    });
  }

  const stopWatching = settings.watch(alignNext);
  return () => {
    isEnded = true;
    stopWatching();
  };
}
